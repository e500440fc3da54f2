extension StaticString {
  /// The text in UTF-8.
  var utf8Bytes: [UInt8] { withUTF8Buffer { unsafe Array($0) } }
}
