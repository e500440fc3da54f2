/// The pictures behind the first one of a JPEG file, such as a telephone's depth.
///
/// > Source: CIPA DC-007, "Multi-Picture Format", section 5.2 (index IFD).
package enum MultiPictureIndex {
  private static let entriesTag: UInt16 = 0xB002

  /// Ranges of the further pictures that are JPEG files of their own; those beyond the end of the file are left out.
  ///
  /// - Parameters:
  ///   - bytes: A whole file.
  ///   - body: The first segment of the index, after its length.
  static func pictures(of bytes: [UInt8], indexAt body: Range<Int>) -> [Range<Int>] {
    // Offsets count from the byte order.
    let origin = body.lowerBound + 4
    guard let tables = ExifBlock(Array(bytes[origin..<body.upperBound])),
      let entry = tables.entry(entriesTag, inIFD: tables.firstIFD),
      let size = tables.reader.integer(UInt32.self, at: entry + 4).map(Int.init),
      let entries = tables.reader.integer(UInt32.self, at: entry + 8).map(Int.init)
    else { return [] }
    return stride(from: 16, to: min(size, 64 * 16), by: 16).compactMap { place in
      guard let length = tables.reader.integer(UInt32.self, at: entries + place + 4).map(Int.init),
        let offset = tables.reader.integer(UInt32.self, at: entries + place + 8).map(Int.init),
        offset > 0, length > 0, offset <= bytes.count - origin - length
      else { return nil }
      let start = origin + offset
      return bytes[start..<start + length].starts(with: [0xFF, 0xD8]) ? start..<start + length : nil
    }
  }

  /// The files of the further pictures of a JPEG file.
  package static func pictures(of bytes: [UInt8]) -> [Range<Int>] {
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
    return index.map { pictures(of: bytes, indexAt: $0) } ?? []
  }
}
