import DepthErrors
import DepthImages

// Keys are part of the interface: they are documented here, and never change their meaning.

/// Texts: the raw values.
extension ColorMap: Codable {}
extension ChromaSubsampling: Codable {}
extension DepthFileFormat: Codable {}
extension PNGCompression: Codable {}

/// The text `png`, or `jpeg` with its defaults, or an object with the keys `jpeg_quality` and `chroma`.
extension ImageFileFormat: Codable {
  private enum CodingKeys: String, CodingKey, CaseIterable {
    case quality = "jpeg_quality"
    case chroma
  }

  /// Reads the name.
  ///
  /// - Throws: `DecodingError` for any other text.
  public init(from decoder: any Decoder) throws {
    guard let name = try? decoder.singleValueContainer().decode(String.self) else {
      let values = try decoder.settings(CodingKeys.self)
      let quality = try values.decode(Int.self, forKey: .quality)
      try decoder.checking { try quality.checked(in: 1...100, "jpeg_quality", "1 to 100") }
      self = .jpeg(quality: quality, chroma: try values.value(.chroma, default: .quarter))
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
    case .png:
      var container = encoder.singleValueContainer()
      try container.encode("png")
    case .jpeg(let quality, let chroma):
      var values = encoder.container(keyedBy: CodingKeys.self)
      try values.encode(quality, forKey: .quality)
      try values.encode(chroma, forKey: .chroma)
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
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(name)
  }
}

/// An object with the keys `unit`, `software`, `weights_sha256`, `near_m` and `far_m`, all optional.
extension DepthFileMetadata: Codable {
  private enum CodingKeys: String, CodingKey, CaseIterable {
    case unit, software
    case weightsSHA256 = "weights_sha256"
    case near = "near_m"
    case far = "far_m"
  }

  /// Reads the object that the extension describes; a key of another name is an error.
  ///
  /// - Throws: `DecodingError`, also for values out of range.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.settings(CodingKeys.self)
    self.init(
      unit: try values.decodeIfPresent(DepthMap.Unit.self, forKey: .unit),
      software: try values.decodeIfPresent(String.self, forKey: .software),
      weightsSHA256: try values.decodeIfPresent(String.self, forKey: .weightsSHA256),
      near: try values.decodeIfPresent(Double.self, forKey: .near),
      far: try values.decodeIfPresent(Double.self, forKey: .far))
  }

  /// Writes the object that the extension describes.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encodeIfPresent(unit, forKey: .unit)
    try values.encodeIfPresent(software, forKey: .software)
    try values.encodeIfPresent(weightsSHA256, forKey: .weightsSHA256)
    try values.encodeIfPresent(near, forKey: .near)
    try values.encodeIfPresent(far, forKey: .far)
  }
}
