package import NeuralEngine

/// A file of weights, of any form.
package protocol WeightsFile: WeightArchive {
  /// Length in bytes.
  var fileBytes: Int { get }
  var attributeNames: [String] { get }
  /// Whether the file is of its network's authors, and not of this package.
  var isPublished: Bool { get }
  /// The SHA-256 that the file states of itself, 64 hexadecimal digits; `nil` for a file that states none.
  var sha256: String? { get }

  /// The SHA-256 of all bytes, 64 hexadecimal digits; behind it `+KIND` if the user says what the file does not.
  ///
  /// - Throws: `DepthError` with code `unreadable` when the file cannot be read, or somebody has written to it since
  ///   it was opened.
  func digestOfAllBytes() throws -> String

  /// Compares the whole file with the SHA-256 that it states.
  ///
  /// - Throws: `DepthError`: `damaged` where they differ, `unreadable` for a file that cannot be read.
  func verifyDigest() throws

  /// The network among these whose published digest the file has; `nil` for none.
  ///
  /// - Throws: `DepthError` with code `unreadable`.
  func network(among networks: [PublishedNetwork]) throws -> PublishedNetwork?

  /// The SHA-256 that was kept when the file was fetched; `nil` for none.
  var keptSHA256: String? { get }
}

extension HDF5WeightArchive: WeightsFile {
  package var isPublished: Bool { false }
  package var keptSHA256: String? { nil }
  package func network(among networks: [PublishedNetwork]) -> PublishedNetwork? { nil }
}
