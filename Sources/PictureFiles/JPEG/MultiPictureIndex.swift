/// The index of the pictures that follow the first picture of a JPEG file, such as a phone's depth map.
///
/// > Source: CIPA DC-007, "Multi-Picture Format", section 5.2 (index IFD).
package enum MultiPictureIndex {
  private static let entriesTag: UInt16 = 0xB002

  /// Ranges of the other pictures that are JPEG files. A picture is omitted if it extends beyond the end of the file, or if
  /// the total length would exceed the file's length.
  ///
  /// - Parameters:
  ///   - bytes: A whole file.
  ///   - body: The first segment of the index, without its length.
  static func pictures(of bytes: [UInt8], indexAt body: Range<Int>) -> [Range<Int>] {
    // Offsets are relative to the byte order mark.
    let origin = body.lowerBound + 4
    guard let (tables, entries, size) = table(of: bytes, indexAt: body) else { return [] }
    var left = bytes.count
    return stride(from: 16, to: min(size, 64 * 16), by: 16).compactMap { place in
      guard let length = tables.reader.integer(UInt32.self, at: entries + place + 4).map(Int.init),
        let offset = tables.reader.integer(UInt32.self, at: entries + place + 8).map(Int.init),
        offset > 0, length > 0, offset <= bytes.count - origin - length, length <= left
      else { return nil }
      left -= length
      let start = origin + offset
      return bytes[start..<start + length].starts(with: [0xFF, 0xD8]) ? start..<start + length : nil
    }
  }

  /// The tables of an index, with the offset and length of the entries.
  private static func table(
    of bytes: [UInt8], indexAt body: Range<Int>
  ) -> (tables: ExifBlock, entries: Int, size: Int)? {
    guard let tables = ExifBlock(Array(bytes[body.lowerBound + 4..<body.upperBound])),
      let entry = tables.entry(entriesTag, inIFD: tables.firstIFD),
      let size = tables.reader.integer(UInt32.self, at: entry + 4).map(Int.init),
      let entries = tables.reader.integer(UInt32.self, at: entry + 8).map(Int.init)
    else { return nil }
    return (tables, entries, size)
  }

  /// Returns whether the pictures' types mark them as stereo views of one scene.
  static func holdsViews(_ bytes: [UInt8]) -> Bool {
    guard let body = index(of: bytes), let (tables, entries, size) = table(of: bytes, indexAt: body)
    else { return false }
    return stride(from: 0, to: min(size, 64 * 16), by: 16).contains { place in
      let attribute = tables.reader.integer(UInt32.self, at: entries + place)
      return attribute.map { $0 & 0xFF_FFFF } == disparityType
    }
  }

  private static let disparityType: UInt32 = 0x02_0002

  /// The ranges of the further pictures in a JPEG file.
  package static func pictures(of bytes: [UInt8]) -> [Range<Int>] {
    index(of: bytes).map { pictures(of: bytes, indexAt: $0) } ?? []
  }

  /// The segment of the index, without its length.
  private static func index(of bytes: [UInt8]) -> Range<Int>? {
    let name: StaticString = "MPF\0"
    let reader = ByteReader(bytes: bytes)
    var index: Range<Int>?
    _ = try? JPEGSegments.walk(bytes, file: "") { marker, body in
      if index == nil, marker == JPEGMarker.app2, body.count > 12,
        reader.holds(name, at: body.lowerBound)
      {
        index = body
      }
    }
    return index
  }
}
