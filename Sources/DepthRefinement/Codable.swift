public import DepthErrors

// Keys are part of the interface: they are documented here, and never change their meaning.

/// The text `none`, `bilateral`, `gaussian` or `joint`.
extension RefinementMethod.Name: Codable {}

/// An object with the keys `name`, a ``RefinementMethod/Name``, and `filter`, the settings of that method. `filter`, and each key in
/// it, may be missing. Example: `{"name": "joint", "filter": {"detail": 0.3}}`
extension RefinementMethod: Codable {
  /// Reads the object that the extension describes; a key of another name is an error.
  ///
  /// - Throws: `DecodingError`, also for values out of range.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.settings(["name", "filter"])
    switch try values.decode(Name.self, forKey: "name") {
    case .none:
      guard !values.contains("filter") else {
        throw decoder.damaged("has a filter, expected no filter with the name 'none'")
      }
      self = .none
    case .bilateral: self = .bilateral(try values.value("filter", default: BilateralFilter()))
    case .gaussian: self = .gaussian(try values.value("filter", default: GaussianFilter()))
    case .joint: self = .joint(try values.value("filter", default: JointFilter()))
    }
  }

  /// Writes the object that the extension describes.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: SettingsObject.CodingKeys.self)
    try values.encode(name, forKey: "name")
    switch self {
    case .none: break
    case .bilateral(let filter): try values.encode(filter, forKey: "filter")
    case .gaussian(let filter): try values.encode(filter, forKey: "filter")
    case .joint(let filter): try values.encode(filter, forKey: "filter")
    }
  }

  private var name: Name {
    switch self {
    case .none: .none
    case .bilateral: .bilateral
    case .gaussian: .gaussian
    case .joint: .joint
    }
  }
}

/// An object with the keys `radius`, `sigma_spatial` and `sigma_range`; missing keys take their defaults.
extension BilateralFilter: Codable, SettingsCodable {
  package static let settings = SettingsTable(
    BilateralFilter(), .defaulted("radius", \.radius), .defaulted("sigma_spatial", \.sigmaSpatial),
    .defaulted("sigma_range", \.sigmaRange)
  ) { try RefinementMethod.bilateral($0).check() }
}

/// An object with the keys `radius` and `sigma`; missing keys take their defaults.
extension GaussianFilter: Codable, SettingsCodable {
  package static let settings = SettingsTable(
    GaussianFilter(), .defaulted("radius", \.radius), .defaulted("sigma", \.sigma)
  ) { try RefinementMethod.gaussian($0).check() }
}

/// An object with the keys `passes`, `sigma_spatial` (missing or null: measured), `sigma_range`,
/// `upsampling_sigma`, `edge_tolerance`, `sharpening`, `back_projection` and `detail`; missing keys take their
/// defaults.
extension JointFilter: Codable, SettingsCodable {
  package static let settings = SettingsTable(
    JointFilter(), .defaulted("passes", \.passes), .optional("sigma_spatial", \.sigmaSpatial),
    .defaulted("sigma_range", \.sigmaRange), .defaulted("upsampling_sigma", \.upsamplingSigma),
    .defaulted("edge_tolerance", \.edgeTolerance), .defaulted("sharpening", \.sharpening),
    .defaulted("back_projection", \.backProjection), .defaulted("detail", \.detail)
  ) { try RefinementMethod.joint($0).check() }
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
    switch self {
    case .network: try encoder.encode(text: "network")
    case .photo: try encoder.encode(text: "photo")
    case .size(let height, let width): try encoder.encode(text: "\(width)x\(height)")
    }
  }
}
