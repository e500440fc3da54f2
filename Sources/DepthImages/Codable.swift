public import DepthErrors

// Keys are part of the interface: they are documented here, and never change their meaning.

/// An object with the keys `maximum_pixels` and `maximum_bytes`; missing keys take their defaults.
extension ImageLimits: Codable, SettingsCodable {
  package static let settings = SettingsTable(
    ImageLimits(), .defaulted("maximum_pixels", \.maximumPixels),
    .optional("maximum_bytes", \.maximumBytes)
  ) {
    try $0.maximumPixels.checked(in: 1...Int.max, "maximum_pixels", "1 or more")
    try $0.maximumBytes?.checked(in: 1...Int.max, "maximum_bytes", "1 or more")
  }
}

/// An object with the keys `width`, `height` and `focal_length_px`, all in pixels.
extension Camera: Codable {
  /// Reads the object that the extension describes; a key of another name is an error.
  ///
  /// - Throws: `DecodingError`, also for values out of range.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.settings(["width", "height", "focal_length_px"])
    let width = try values.decode(Int.self, forKey: "width")
    let height = try values.decode(Int.self, forKey: "height")
    let focalLength = try values.decode(Double.self, forKey: "focal_length_px")
    try decoder.checking {
      for side in [width, height] {
        try side.checked(in: 1...1 << 30, "a side of the camera's picture", "1 or more pixels")
      }
      guard focalLength > 0, focalLength.isFinite else {
        throw DepthError.invalidArgument(
          name: "the focal length", found: "\(focalLength)", expected: "more than 0 pixels")
      }
    }
    self.init(width: width, height: height, focalLength: focalLength)
  }

  /// Writes the object that the extension describes.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: SettingsObject.CodingKeys.self)
    try values.encode(width, forKey: "width")
    try values.encode(height, forKey: "height")
    try values.encode(focalLength, forKey: "focal_length_px")
  }
}

/// The text `photo`, or an object with one key: `pixels`, `equivalent_35mm` (millimetres) or
/// `field_of_view` (degrees).
extension Camera.FocalLength: Codable {
  private static let keys: [SettingsObject.CodingKeys] = [
    "pixels", "equivalent_35mm", "field_of_view",
  ]

  /// Reads the text or the object that the extension describes.
  ///
  /// - Throws: `DecodingError` for anything else.
  public init(from decoder: any Decoder) throws {
    guard (try? decoder.settings(Self.keys)) != nil else {
      self = try decoder.named(
        "the focal length", ["photo, or an object with pixels, equivalent_35mm or field_of_view"]
      ) { $0 == "photo" ? .photo : nil }
      return
    }
    let (key, values) = try decoder.choice(of: Self.keys)
    let number = try values.decode(Double.self, forKey: key)
    switch key.stringValue {
    case "pixels": self = .pixels(number)
    case "equivalent_35mm": self = .equivalent35mm(number)
    default: self = .fieldOfView(number)
    }
  }

  /// Writes the text or the object that the extension describes.
  public func encode(to encoder: any Encoder) throws {
    if case .photo = self { return try encoder.encode(text: "photo") }
    var values = encoder.container(keyedBy: SettingsObject.CodingKeys.self)
    switch self {
    case .pixels(let length): try values.encode(length, forKey: "pixels")
    case .equivalent35mm(let length): try values.encode(length, forKey: "equivalent_35mm")
    case .fieldOfView(let degrees): try values.encode(degrees, forKey: "field_of_view")
    case .photo: break
    }
  }
}

/// The text `white` or `black`.
extension DepthMap.Polarity: Codable {}

/// The text `metres`, `disparity`, `relative-disparity`, `normalized-white` or `normalized-black`. White and black are the color of the
/// nearest point.
extension DepthMap.Unit: Codable {
  private static let names: [(name: String, unit: DepthMap.Unit)] = [
    ("metres", .metres), ("disparity", .disparity), ("relative-disparity", .relativeDisparity),
    ("normalized-white", .normalized(near: .white)),
    ("normalized-black", .normalized(near: .black)),
  ]

  /// Reads the name.
  ///
  /// - Throws: `DecodingError` for any other text.
  public init(from decoder: any Decoder) throws {
    self = try decoder.named("the unit", Self.names.map(\.name)) { name in
      Self.names.first { $0.name == name }?.unit
    }
  }

  /// Writes the name.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(Self.names.first { $0.unit == self }?.name)
  }
}

/// An object with the keys `width` and `height`, pixels.
extension PixelSize: Codable, SettingsCodable {
  package static let settings = SettingsTable(
    PixelSize(width: 0, height: 0), .required("width", \.width), .required("height", \.height)
  ) {
    for side in [$0.width, $0.height] {
      try side.checked(in: 1...8192, "a side", "1 to 8192 pixels")
    }
  }
}
