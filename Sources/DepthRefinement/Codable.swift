import DepthErrors

// Keys are part of the interface: they are documented here, and never change their meaning.

/// The text `none`, `article`, `gaussian` or `joint`.
extension RefinementMethod.Name: Codable {}

/// An object with the keys `name`, a ``RefinementMethod/Name``, and `filter`, the settings of that method; both it
/// and any of its keys may be missing. `{"name": "joint", "filter": {"detail": 0.3}}`
extension RefinementMethod: Codable {
  private enum CodingKeys: String, CodingKey, CaseIterable { case name, filter }

  /// Reads the object that the extension describes; a key of another name is an error.
  ///
  /// - Throws: `DecodingError`, also for values out of range.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.settings(CodingKeys.self)
    switch try values.decode(Name.self, forKey: .name) {
    case .none:
      guard !values.contains(.filter) else {
        throw decoder.damaged("has a filter, expected none with the name 'none'")
      }
      self = .none
    case .article: self = .article(try values.value(.filter, default: ArticleFilter()))
    case .gaussian: self = .gaussian(try values.value(.filter, default: GaussianFilter()))
    case .joint: self = .joint(try values.value(.filter, default: JointFilter()))
    }
  }

  /// Writes the object that the extension describes.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(name, forKey: .name)
    switch self {
    case .none: break
    case .article(let filter): try values.encode(filter, forKey: .filter)
    case .gaussian(let filter): try values.encode(filter, forKey: .filter)
    case .joint(let filter): try values.encode(filter, forKey: .filter)
    }
  }

  private var name: Name {
    switch self {
    case .none: .none
    case .article: .article
    case .gaussian: .gaussian
    case .joint: .joint
    }
  }
}

/// An object with the keys `radius`, `sigma_spatial` and `sigma_range`; missing ones take their defaults.
extension ArticleFilter: Codable {
  private enum CodingKeys: String, CodingKey, CaseIterable {
    case radius
    case sigmaSpatial = "sigma_spatial"
    case sigmaRange = "sigma_range"
  }

  /// Reads the object that the extension describes; a key of another name is an error.
  ///
  /// - Throws: `DecodingError`, also for values out of range.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.settings(CodingKeys.self)
    self.init()
    radius = try values.value(.radius, default: radius)
    sigmaSpatial = try values.value(.sigmaSpatial, default: sigmaSpatial)
    sigmaRange = try values.value(.sigmaRange, default: sigmaRange)
    let method = RefinementMethod.article(self)
    try decoder.checking(method.check)
  }

  /// Writes the object that the extension describes.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(radius, forKey: .radius)
    try values.encode(sigmaSpatial, forKey: .sigmaSpatial)
    try values.encode(sigmaRange, forKey: .sigmaRange)
  }
}

/// An object with the keys `radius` and `sigma`; missing ones take their defaults.
extension GaussianFilter: Codable {
  private enum CodingKeys: String, CodingKey, CaseIterable { case radius, sigma }

  /// Reads the object that the extension describes; a key of another name is an error.
  ///
  /// - Throws: `DecodingError`, also for values out of range.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.settings(CodingKeys.self)
    self.init()
    radius = try values.value(.radius, default: radius)
    sigma = try values.value(.sigma, default: sigma)
    let method = RefinementMethod.gaussian(self)
    try decoder.checking(method.check)
  }

  /// Writes the object that the extension describes.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(radius, forKey: .radius)
    try values.encode(sigma, forKey: .sigma)
  }
}

/// An object with the keys `passes`, `sigma_spatial` (missing or null: measured), `sigma_range`,
/// `upsampling_sigma`, `edge_tolerance`, `sharpening`, `back_projection` and `detail`; missing ones take their
/// defaults.
extension JointFilter: Codable {
  private enum CodingKeys: String, CodingKey, CaseIterable {
    case passes
    case sigmaSpatial = "sigma_spatial"
    case sigmaRange = "sigma_range"
    case upsamplingSigma = "upsampling_sigma"
    case edgeTolerance = "edge_tolerance"
    case sharpening
    case backProjection = "back_projection"
    case detail
  }

  /// Reads the object that the extension describes; a key of another name is an error.
  ///
  /// - Throws: `DecodingError`, also for values out of range.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.settings(CodingKeys.self)
    self.init()
    passes = try values.value(.passes, default: passes)
    sigmaSpatial = try values.decodeIfPresent(Float.self, forKey: .sigmaSpatial)
    sigmaRange = try values.value(.sigmaRange, default: sigmaRange)
    upsamplingSigma = try values.value(.upsamplingSigma, default: upsamplingSigma)
    edgeTolerance = try values.value(.edgeTolerance, default: edgeTolerance)
    sharpening = try values.value(.sharpening, default: sharpening)
    backProjection = try values.value(.backProjection, default: backProjection)
    detail = try values.value(.detail, default: detail)
    let method = RefinementMethod.joint(self)
    try decoder.checking(method.check)
  }

  /// Writes the object that the extension describes.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(passes, forKey: .passes)
    try values.encodeIfPresent(sigmaSpatial, forKey: .sigmaSpatial)
    try values.encode(sigmaRange, forKey: .sigmaRange)
    try values.encode(upsamplingSigma, forKey: .upsamplingSigma)
    try values.encode(edgeTolerance, forKey: .edgeTolerance)
    try values.encode(sharpening, forKey: .sharpening)
    try values.encode(backProjection, forKey: .backProjection)
    try values.encode(detail, forKey: .detail)
  }
}

/// The text `network`, `photo` or `WIDTHxHEIGHT`, such as `640x480`.
extension OutputResolution: Codable {
  /// Reads the name.
  ///
  /// - Throws: `DecodingError` for any other text.
  public init(from decoder: any Decoder) throws {
    self = try decoder.named(
      "the resolution", ["network", "photo", "WIDTHxHEIGHT"], OutputResolution.init)
  }

  /// Writes the name.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .network: try container.encode("network")
    case .photo: try container.encode("photo")
    case .size(let height, let width): try container.encode("\(width)x\(height)")
    }
  }
}
