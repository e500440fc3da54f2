import SystemEssentials

/// One line of a manifest: what became of one photo.
package struct ManifestLine: Encodable {
  package let path: String
  /// ``PhotoInput/relativePath``, so that a list of failures mirrors the same tree.
  package let relative: String
  package var outputs: [String] = []
  package var nearM, farM: Float?
  /// Whether the outputs were there already.
  package var skipped: Bool?
  package var error: String?
  /// Whether a retry may succeed, for a photo that failed.
  package var retry: Bool?
  package var milliseconds: Double?

  /// How lines begin: their keys are in alphabetical order, and these can be the first.
  static let beginnings = ["error", "far_m", "milliseconds", "near_m", "outputs", "path"]
    .map { "{\"\($0)\":" }

  /// What is read of a line.
  package struct Entry: Decodable {
    package let path: String
    package let relative, error: String?

    /// - Returns: `nil` for text that is not such a line.
    package init?(_ text: some StringProtocol) {
      guard text.utf8.first == UInt8(ascii: "{"),
        let entry = try? JSONDecoder().decode(Self.self, from: Data(text.utf8))
      else { return nil }
      self = entry
    }
  }
}
