package import NeuralEngine

/// A weights file in any format.
package protocol WeightsFile: WeightArchive {
  /// Length in bytes.
  var fileBytes: Int { get }
  var attributeNames: [String] { get }
  /// Whether the file was published by the network's authors, not by this package.
  var isPublished: Bool { get }
  /// The SHA-256 that the file states, as 64 hexadecimal digits. `nil` without a stated SHA-256.
  var sha256: String? { get }

  /// The SHA-256 of all bytes, as 64 hexadecimal digits, followed by `+KIND` if the user states the kind.
  ///
  /// - Throws: `DepthError` with code `unreadable` if the file is unreadable or was modified since it was opened.
  func digestOfAllBytes() throws -> String

  /// Compares the whole file with its stated SHA-256.
  ///
  /// - Throws: `DepthError` with code `damaged` if the digests differ; with code `unreadable` for an unreadable
  ///   file.
  func verifyDigest() throws

  /// The network in `networks` whose published digest matches the file; `nil` for none.
  ///
  /// - Throws: `DepthError` with code `unreadable`.
  func network(among networks: [PublishedNetwork]) throws -> PublishedNetwork?

  /// The SHA-256 stored when the file was fetched; `nil` for none.
  var keptSHA256: String? { get }
}

extension HDF5WeightArchive: WeightsFile {
  package var isPublished: Bool { false }
  package var keptSHA256: String? { nil }
  package func network(among networks: [PublishedNetwork]) -> PublishedNetwork? { nil }
}
