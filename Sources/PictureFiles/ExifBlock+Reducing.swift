/// Exif blocks without some entries. They are rebuilt from the other entries, so that no removed data remains.
///
/// > Source: CIPA DC-008 (Exif 2.32), section 4.6; TIFF 6.0, section 2; OGC 19-008r4 (GeoTIFF), annex G.
extension ExifBlock {
  /// The block without fields that may contain the location, the owner or a serial number; `nil` if nothing remains.
  var withoutLocation: [UInt8]? { rebuilt { !Self.identifying.contains($0) } }

  /// Orientation and copyright; `nil` when the block has neither.
  var essential: [UInt8]? { rebuilt { $0 == 0x0112 || $0 == 0x8298 } }

  private static let identifying: Set<UInt16> = [
    0x8825,  // GPS directory
    0x8480, 0x8482, 0x85D8, 0x87AF, 0x87B0, 0x87B1,  // GeoTIFF
    0x02BC, 0x83BB, 0x8649,  // XMP, IPTC and Photoshop's resources in TIFF tags
    0x927C, 0xC634,  // maker notes: layouts of their own, some with places' names
    0xA430, 0xA431, 0xA435, 0xC62F,  // the owner's name; serial numbers of body, lens and camera
    0xFDE8, 0xFDE9,  // the owner's name and the serial number by Adobe's raw converter
  ]

  /// Tags that contain file offsets of uncopied data: strips, tiles, thumbnails, other directories.
  private static let offsets: Set<UInt16> = [
    0x0111, 0x0117, 0x0144, 0x0145, 0x014A, 0x0201, 0x0202,
  ]

  private struct Entry {
    var tag, type: UInt16
    var count: UInt32
    /// The value in the block's own byte order.
    var value: [UInt8]
  }

  private func rebuilt(keeping isKept: (UInt16) -> Bool) -> [UInt8]? {
    // Entries of a hostile block may share their values. The budget limits the new block to the size of the old
    // block, except for alignment to even offsets.
    var budget = bytes.count
    func entries(at ifd: Int) -> [Entry] {
      self.entries(inIFD: ifd, budget: &budget) { isKept($0) && !Self.offsets.contains($0) }
    }
    var main = entries(at: firstIFD)
    var exif: [Entry] = []
    var interoperability: [Entry] = []
    if isKept(Tag.exifIFD), let ifd = value(of: Tag.exifIFD, inIFD: firstIFD) {
      exif = entries(at: ifd)
      if let ifd = value(of: Tag.interoperabilityIFD, inIFD: ifd) {
        interoperability = entries(at: ifd)
      }
    }
    for pointers in [Tag.exifIFD, Tag.interoperabilityIFD] {
      main.removeAll { $0.tag == pointers }
      exif.removeAll { $0.tag == pointers }
    }
    guard !main.isEmpty || !exif.isEmpty else { return nil }

    var result = Array(bytes[..<4]) + ordered(UInt32(8))
    if !exif.isEmpty || !interoperability.isEmpty { main.append(pointer(Tag.exifIFD)) }
    if !interoperability.isEmpty { exif.append(pointer(Tag.interoperabilityIFD)) }
    var directories = [main, exif, interoperability].filter { !$0.isEmpty }
    for index in directories.indices {
      directories[index].sort { $0.tag < $1.tag }
      if index + 1 < directories.count {
        let next = result.count + Self.length(of: directories[index])
        let tag = index == 0 ? Tag.exifIFD : Tag.interoperabilityIFD
        for entry in directories[index].indices where directories[index][entry].tag == tag {
          directories[index][entry].value = ordered(UInt32(next))
        }
      }
      append(directories[index], to: &result)
    }
    return result
  }

  /// The complete entries of a directory. Of several entries with one tag, only the first counts.
  private func entries(
    inIFD ifd: Int, budget: inout Int, where isKept: (UInt16) -> Bool
  ) -> [Entry] {
    let sizes: [UInt16: Int] = [
      1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 129: 1,
    ]
    var result: [Entry] = []
    var seen: Set<UInt16> = []
    for index in 0..<Int(reader.integer(UInt16.self, at: ifd) ?? 0) {
      let place = ifd + 2 + 12 * index
      guard let tag = reader.integer(UInt16.self, at: place),
        let type = reader.integer(UInt16.self, at: place + 2),
        let count = reader.integer(UInt32.self, at: place + 4),
        let offset = reader.integer(UInt32.self, at: place + 8)
      else { break }
      guard isKept(tag), let size = sizes[type], seen.insert(tag).inserted else { continue }
      let length = size * Int(count)
      let start = length > 4 ? Int(offset) : place + 8
      // A value of up to four bytes is part of its entry.
      let cost = length > 4 ? length + 12 : 12
      guard start <= bytes.count, length <= bytes.count - start, cost <= budget else { continue }
      budget -= cost
      result.append(
        Entry(tag: tag, type: type, count: count, value: Array(bytes[start..<start + length])))
    }
    return result
  }

  private func pointer(_ tag: UInt16) -> Entry {
    Entry(tag: tag, type: 4, count: 1, value: [0, 0, 0, 0])
  }

  /// Length of a directory in bytes, including the following values, each at an even offset.
  private static func length(of entries: [Entry]) -> Int {
    entries.reduce(2 + 12 * entries.count + 4) {
      $0 + ($1.value.count > 4 ? ($1.value.count + 1) & ~1 : 0)
    }
  }

  private func append(_ entries: [Entry], to result: inout [UInt8]) {
    var place = result.count + 2 + 12 * entries.count + 4
    var values: [UInt8] = []
    result += ordered(UInt16(entries.count))
    for entry in entries {
      result += ordered(entry.tag) + ordered(entry.type) + ordered(entry.count)
      if entry.value.count > 4 {
        result += ordered(UInt32(place))
        let padded = entry.value + (entry.value.count % 2 == 0 ? [] : [0])
        values += padded
        place += padded.count
      } else {
        result += entry.value + [UInt8](repeating: 0, count: 4 - entry.value.count)
      }
    }
    result += ordered(UInt32(0)) + values
  }
}
