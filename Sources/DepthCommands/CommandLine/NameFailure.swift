import DepthBase

/// An argument that is not UTF-8.
struct NameFailure: Error, CustomStringConvertible {
  /// The argument with its invalid bytes spelled out.
  let name: String

  init(_ bytes: [UInt8]) { name = String(fileName: bytes).spelledOut }

  var description: String {
    "\(name): is not UTF-8, expected a command line in UTF-8; give the photo's folder, or a list by --files-from "
      + "with --null, or the photo as '-' on standard input"
  }
}
