extension EXRHeader {
  /// A file of one part with one attribute more, of type `string`.
  ///
  /// The offsets of the pixels, which follow the header and count from the file's beginning, grow by what
  /// is put in front of them.
  ///
  /// - Returns: `nil` for a file of several parts, and for one whose offsets are not of its scan lines
  ///   in order, as this package writes them.
  static func adding(_ name: String, _ text: String, to file: [UInt8]) -> [UInt8]? {
    guard let header = try? EXRHeader(file, file: ""), !header.isMultiPart,
      let part = header.parts.first, part.texts[name] == nil
    else { return nil }
    let attribute = Self.string(name, text)
    let reader = ByteReader(bytes: file, order: .little)
    guard let first = reader.integer(UInt64.self, at: header.end), first <= file.count,
      Int(first) > header.end, (Int(first) - header.end) % 8 == 0
    else { return nil }
    var result: [UInt8] = []
    result.reserveCapacity(file.count + attribute.count)
    result += file[..<(header.end - 1)]
    result += attribute
    result.append(0)
    for place in stride(from: header.end, to: Int(first), by: 8) {
      guard let offset = reader.integer(UInt64.self, at: place), offset >= first,
        offset < file.count
      else { return nil }
      result.append(littleEndian: offset + UInt64(attribute.count))
    }
    result += file[Int(first)...]
    return result
  }

  /// The bytes of an attribute: name, type, length and text.
  private static func string(_ name: String, _ text: String) -> [UInt8] {
    var bytes = Array(name.utf8) + [0] + Array("string".utf8) + [0]
    bytes.append(littleEndian: UInt32(text.utf8.count))
    return bytes + Array(text.utf8)
  }
}
