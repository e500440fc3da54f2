/// The command line as bytes: file names need not be text, but all paths here are.
enum RawArguments {
  /// - Throws: ``NameFailure`` for the first argument that is not UTF-8. Swift would replace its bytes,
  ///   so that another file is read or written than the one that was named.
  static func check() throws {
    for index in 0..<Int(CommandLine.argc) {
      guard let argument = CommandLine.unsafeArgv[index],
        String(validatingCString: argument) == nil
      else { continue }
      var bytes: [UInt8] = []
      var offset = 0
      while argument[offset] != 0 {
        bytes.append(UInt8(bitPattern: argument[offset]))
        offset += 1
      }
      throw NameFailure(bytes)
    }
  }
}

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
