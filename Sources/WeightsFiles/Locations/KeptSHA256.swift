import DepthBase
package import SystemEssentials

/// The SHA-256 of a fetched file, stored beside the file for `sha256sum -c`, if the publishers state another kind
/// of digest.
package enum KeptSHA256 {
  private static let digits = 64

  private static func place(beside file: URL) -> URL {
    URL(filePath: file.path(percentEncoded: false) + ".sha256")
  }

  /// The stored digest as 64 lower-case hexadecimal digits; `nil` without a digest.
  package static func read(beside file: URL) -> String? {
    guard let bytes = InputFile.beginning(of: place(beside: file), count: digits) else {
      return nil
    }
    let text = String(decoding: bytes, as: UTF8.self).lowercased()
    return text.utf8.count == digits && text.allSatisfy(\.isHexDigit) ? text : nil
  }

  /// Stores a digest.
  ///
  /// - Throws: `DepthError` with code `unwritable`.
  package static func write(_ digest: String, beside file: URL) throws {
    try AtomicFile.write(
      Array("\(digest)  \(file.lastPathComponent)\n".utf8), to: place(beside: file))
  }
}
