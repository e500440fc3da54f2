import SystemEssentials

/// One line of a manifest: what became of one photo.
struct ManifestLine: Encodable {
  let path: String
  /// ``PhotoInput/relativePath``, so that a list of failures mirrors the same tree.
  let relative: String
  var outputs: [String] = []
  var nearM, farM: Float?
  /// Whether the outputs were there already.
  var skipped: Bool?
  var error: String?
  /// Whether a retry may succeed, for a photo that failed.
  var retry: Bool?
  var milliseconds: Double?

  /// How lines begin: their keys are in alphabetical order, and these can be the first.
  static let beginnings = ["error", "far_m", "milliseconds", "near_m", "outputs", "path"]
    .map { "{\"\($0)\":" }

  /// What is read of a line.
  struct Entry: Decodable {
    let path: String
    let relative, error: String?

    /// - Returns: `nil` for text that is not such a line.
    init?(_ text: some StringProtocol) {
      guard text.utf8.first == UInt8(ascii: "{"),
        let entry = try? JSONDecoder().decode(Self.self, from: Data(text.utf8))
      else { return nil }
      self = entry
    }
  }
}
