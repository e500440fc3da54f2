/// The command line as bytes: file names need not be text, but all paths here are.
enum RawArguments {
  /// - Throws: ``NameFailure`` for the first argument that is not UTF-8. Swift would replace its bytes,
  ///   so that another file is read or written than the one that was named.
  static func check() throws {
    for index in 0..<Int(CommandLine.argc) {
      guard let argument = unsafe CommandLine.unsafeArgv[index],
        unsafe String(validatingCString: argument) == nil
      else { continue }
      var bytes: [UInt8] = []
      var offset = 0
      while unsafe argument[offset] != 0 {
        bytes.append(unsafe UInt8(bitPattern: argument[offset]))
        offset += 1
      }
      throw NameFailure(bytes)
    }
  }
}
