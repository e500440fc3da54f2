/// Reads numbers from untrusted bytes. The result is `nil` for an offset out of range.
struct ByteReader {
  enum ByteOrder { case big, little }

  let bytes: [UInt8]
  var order = ByteOrder.big

  /// The unsigned number at `offset`; `nil` if the number extends beyond the bytes.
  func integer<T: FixedWidthInteger & UnsignedInteger>(_: T.Type, at offset: Int) -> T? {
    let size = T.bitWidth / 8
    guard offset >= 0, offset <= bytes.count - size else { return nil }
    var value: T = 0
    for index in 0..<size {
      let byte = T(bytes[offset + (order == .big ? index : size - 1 - index)])
      value = size == 1 ? byte : value << 8 | byte
    }
    return value
  }

  /// Returns whether the ASCII characters of `text` are at `offset`.
  func holds(_ text: StaticString, at offset: Int) -> Bool { text.isAt(offset, of: bytes) }

  /// Returns whether the ASCII characters of `text` are anywhere in a range of bytes.
  func contains(_ text: StaticString, in range: Range<Int>) -> Bool {
    let first = text.utf8Bytes.first
    return range.dropLast(text.utf8CodeUnitCount - 1).contains {
      bytes[$0] == first && holds(text, at: $0)
    }
  }
}
