public import DepthErrors
import DepthImages

// Keys are part of the interface: they are documented here, and never change their meaning.

/// Texts: the raw values.
extension ColorMap: Codable {}
extension ChromaSubsampling: Codable {}
extension DepthFileFormat: Codable {}
extension PNGCompression: Codable {}

/// The text `png`, or `jpeg` with its defaults, or an object with the keys `jpeg_quality` and `chroma`.
extension ImageFileFormat: Codable {
  /// Reads the name.
  ///
  /// - Throws: `DecodingError` for any other text.
  public init(from decoder: any Decoder) throws {
    guard let name = try? decoder.singleValueContainer().decode(String.self) else {
      let values = try decoder.settings(["jpeg_quality", "chroma"])
      let quality = try values.decode(Int.self, forKey: "jpeg_quality")
      try decoder.checking { try quality.checked(in: 1...100, "jpeg_quality", "1 to 100") }
      self = .jpeg(quality: quality, chroma: try values.value("chroma", default: .quarter))
      return
    }
    switch name {
    case "png": self = .png
    case "jpeg": self = .jpeg()
    default: throw decoder.damaged("the format is '\(name)', expected png, jpeg")
    }
  }

  /// Writes the name.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .png: try encoder.encode(text: "png")
    case .jpeg(let quality, let chroma):
      var values = encoder.container(keyedBy: SettingsObject.CodingKeys.self)
      try values.encode(quality, forKey: "jpeg_quality")
      try values.encode(chroma, forKey: "chroma")
    }
  }
}

/// The text `everything`, `without-location` or `essential`.
extension MetadataPolicy: Codable {
  private var name: String {
    switch self {
    case .everything: "everything"
    case .withoutLocation: "without-location"
    case .essential: "essential"
    }
  }

  /// Reads the name.
  ///
  /// - Throws: `DecodingError` for any other text.
  public init(from decoder: any Decoder) throws {
    self = try decoder.named("the metadata to keep", Self.allCases.map(\.name)) { name in
      Self.allCases.first { $0.name == name }
    }
  }

  /// Writes the name.
  public func encode(to encoder: any Encoder) throws { try encoder.encode(text: name) }
}

/// An object with the keys `unit`, `software`, `weights_sha256`, `near_m` and `far_m`, all optional.
extension DepthFileMetadata: Codable, SettingsCodable {
  package static let settings = SettingsTable(
    DepthFileMetadata(), .optional("unit", \.unit), .optional("software", \.software),
    .optional("weights_sha256", \.weightsSHA256), .optional("near_m", \.near),
    .optional("far_m", \.far))
}
