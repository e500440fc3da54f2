extension StaticString {
  /// The text in UTF-8.
  var utf8Bytes: [UInt8] { withUTF8Buffer { unsafe Array($0) } }

  /// Returns whether the UTF-8 text is at an offset of some bytes. The function allocates no memory, since files have
  /// millions of such offsets.
  func isAt(_ offset: Int, of bytes: [UInt8]) -> Bool {
    guard offset >= 0, offset <= bytes.count - utf8CodeUnitCount else { return false }
    return withUTF8Buffer { text in
      for index in 0..<text.count where unsafe text[index] != bytes[offset + index] { return false }
      return true
    }
  }
}
