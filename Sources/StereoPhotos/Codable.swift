import DepthErrors
import PictureFiles
import ViewSynthesis

// Keys are part of the interface: they are documented here, and never change their meaning.

/// The text ``name``; of a quilt with other tiles than 8 × 6, `quilt-COLUMNSxROWS`.
extension StereoFormat: Codable {
  /// Reads the name.
  ///
  /// - Throws: `DecodingError` for any other text.
  public init(from decoder: any Decoder) throws {
    self = try decoder.named("the format", Self.all.map(\.name)) { text in
      if let format = StereoFormat(name: text) { return format }
      let parts = text.split(separator: "-", maxSplits: 1)
      let tiles = parts.last?.split(separator: "x", omittingEmptySubsequences: false).map {
        Int($0)
      }
      guard parts.count == 2, parts[0] == "quilt", let tiles, tiles.count == 2,
        let columns = tiles[0], let rows = tiles[1], (1...1024).contains(columns),
        (1...1024).contains(rows)
      else { return nil }
      return .quilt(columns: columns, rows: rows)
    }
  }

  /// Writes the name.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if case .quilt(let columns, let rows) = self, (columns, rows) != (8, 6) {
      try container.encode("quilt-\(columns)x\(rows)")
    } else {
      try container.encode(name)
    }
  }
}

/// An object with the keys `lossless`, `quality`, `animation_width`, `animation_views`, `animation_delay_s`,
/// `quilt_width`, `quilt_spread`, `metadata` and `png_compression`; missing ones take their defaults.
extension StereoOutput: Codable {
  private enum CodingKeys: String, CodingKey, CaseIterable {
    case isLossless = "lossless"
    case quality
    case animationWidth = "animation_width"
    case animationViews = "animation_views"
    case animationDelay = "animation_delay_s"
    case quiltWidth = "quilt_width"
    case quiltSpread = "quilt_spread"
    case metadata
    case compression = "png_compression"
  }

  /// Reads the object that the extension describes; a key of another name is an error.
  ///
  /// - Throws: `DecodingError`, also for values out of range.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.settings(CodingKeys.self)
    self.init()
    isLossless = try values.value(.isLossless, default: isLossless)
    quality = try values.value(.quality, default: quality)
    animationWidth = try values.value(.animationWidth, default: animationWidth)
    animationViews = try values.value(.animationViews, default: animationViews)
    animationDelay = try values.value(.animationDelay, default: animationDelay)
    quiltWidth = try values.value(.quiltWidth, default: quiltWidth)
    quiltSpread = try values.value(.quiltSpread, default: quiltSpread)
    metadata = try values.value(.metadata, default: metadata)
    compression = try values.value(.compression, default: compression)
    let output = self
    try decoder.checking {
      try output.quality.checked(in: 1...100, "quality", "1 to 100")
      try output.animationWidth.checked(in: 1...65_535, "animation_width", "1 to 65535 pixels")
      try output.animationViews.checked(in: 2...1024, "animation_views", "2 to 1024")
      try output.animationDelay.checked(in: 0.01...10, "animation_delay_s", "0.01 to 10 seconds")
      try output.quiltWidth.checked(in: 1...65_535, "quilt_width", "1 to 65535 pixels")
      try output.quiltSpread.checked(
        in: .leastNonzeroMagnitude...100, "quilt_spread", "more than 0, at most 100")
    }
  }

  /// Writes the object that the extension describes.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(isLossless, forKey: .isLossless)
    try values.encode(quality, forKey: .quality)
    try values.encode(animationWidth, forKey: .animationWidth)
    try values.encode(animationViews, forKey: .animationViews)
    try values.encode(animationDelay, forKey: .animationDelay)
    try values.encode(quiltWidth, forKey: .quiltWidth)
    try values.encode(quiltSpread, forKey: .quiltSpread)
    try values.encode(metadata, forKey: .metadata)
    try values.encode(compression, forKey: .compression)
  }
}
