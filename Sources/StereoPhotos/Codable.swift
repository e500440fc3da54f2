public import DepthErrors
import DepthImages
import PictureFiles
import ViewSynthesis

// Keys are part of the interface: they are documented here, and never change their meaning.

/// The text ``name``, or `quilt-COLUMNSxROWS` for a quilt that does not have 8 columns and 6 rows.
extension StereoFormat: Codable {
  /// Reads the name.
  ///
  /// - Throws: `DecodingError` for any other text.
  public init(from decoder: any Decoder) throws {
    self = try decoder.named("the format", Self.all.map(\.name)) { text in
      if let format = StereoFormat(name: text) { return format }
      let parts = text.split(separator: "-", maxSplits: 1)
      guard parts.count == 2, parts[0] == "quilt",
        let tiles = Grid(String(parts[1]), counts: 1...1024)
      else { return nil }
      return .quilt(columns: tiles.columns, rows: tiles.rows)
    }
  }

  /// Writes the name.
  public func encode(to encoder: any Encoder) throws {
    if case .quilt(let columns, let rows) = self, (columns, rows) != (8, 6) {
      try encoder.encode(text: "quilt-\(columns)x\(rows)")
    } else {
      try encoder.encode(text: name)
    }
  }
}

/// An object with the keys `lossless`, `quality`, `animation_width`, `animation_views`, `animation_delay_s`,
/// `quilt_width`, `quilt_spread`, `metadata` and `png_compression`; missing keys take their defaults.
extension StereoOutput: Codable, SettingsCodable {
  package static let settings = SettingsTable(
    StereoOutput(), .defaulted("lossless", \.isLossless), .defaulted("quality", \.quality),
    .defaulted("animation_width", \.animationWidth),
    .defaulted("animation_views", \.animationViews),
    .defaulted("animation_delay_s", \.animationDelay), .defaulted("quilt_width", \.quiltWidth),
    .defaulted("quilt_spread", \.quiltSpread), .defaulted("metadata", \.metadata),
    .defaulted("png_compression", \.compression)
  ) {
    try $0.quality.checked(in: 1...100, "quality", "1 to 100")
    try $0.animationWidth.checked(in: 1...65_535, "animation_width", "1 to 65535 pixels")
    try $0.animationViews.checked(in: 2...1024, "animation_views", "2 to 1024")
    try $0.animationDelay.checked(in: 0.01...10, "animation_delay_s", "0.01 to 10 seconds")
    try $0.quiltWidth.checked(in: 1...65_535, "quilt_width", "1 to 65535 pixels")
    try $0.quiltSpread.checked(
      in: .leastNonzeroMagnitude...100, "quilt_spread", "more than 0, at most 100")
  }
}
