import DepthBase
import SystemEssentials

/// The command line as bytes, which must be UTF-8.
@safe
struct RawArguments {
  private let count: Int
  private let arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

  fileprivate init(
    count: Int32, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  ) {
    self.count = Int(count)
    unsafe self.arguments = arguments
  }

  /// The arguments after the program's name.
  ///
  /// - Throws: ``NameFailure`` for the first argument that is not valid UTF-8. Swift would replace its invalid bytes, and
  ///   the program would access another file.
  func words() throws -> [String] {
    try (0..<count).compactMap { index in
      guard let argument = unsafe arguments[index] else { return nil }
      guard let word = unsafe String(validatingCString: argument) else {
        throw NameFailure(
          unsafe Array(UnsafeRawBufferPointer(start: argument, count: strlen(argument))))
      }
      return index > 0 ? String(fileName: Array(word.utf8)) : nil
    }
  }
}

/// The program's entry point, called by `main` in C.
@_cdecl("depth_main")
package func depthMain(
  _ count: Int32, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>,
  _ revision: UnsafePointer<CChar>
) {
  DepthProgram.main(
    unsafe RawArguments(count: count, arguments), revision: unsafe String(cString: revision))
}
