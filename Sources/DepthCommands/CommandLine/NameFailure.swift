/// An argument that is not UTF-8.
struct NameFailure: Error, CustomStringConvertible {
  /// The argument with every byte beyond ASCII spelled out.
  let name: String

  /// - Parameter name: A path with its other bytes spelled out already.
  init(spelledOut name: String) { self.name = name }

  init(_ bytes: [UInt8]) {
    name = bytes.map { byte in
      byte < 0x80 ? String(Unicode.Scalar(byte)) : "\\x" + String(byte, radix: 16, uppercase: true)
    }.joined()
  }

  var description: String {
    "\(name): is not UTF-8, expected file names in UTF-8; rename the file, or give it as '-' on "
      + "standard input"
  }
}
