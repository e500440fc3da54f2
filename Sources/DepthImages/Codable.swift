import DepthErrors

// Keys are part of the interface: they are documented here, and never change their meaning.

/// An object with the keys `maximum_pixels` and `maximum_bytes`; missing ones take their defaults.
extension ImageLimits: Codable {
  private enum CodingKeys: String, CodingKey, CaseIterable {
    case maximumPixels = "maximum_pixels"
    case maximumBytes = "maximum_bytes"
  }

  /// Reads the object that the extension describes; a key of another name is an error.
  ///
  /// - Throws: `DecodingError`, also for values out of range.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.settings(CodingKeys.self)
    let standard = ImageLimits()
    let pixels = try values.value(.maximumPixels, default: standard.maximumPixels)
    let bytes = try values.decodeIfPresent(Int.self, forKey: .maximumBytes)
    try decoder.checking {
      try pixels.checked(in: 1...Int.max, "maximum_pixels", "1 or more")
      try bytes?.checked(in: 1...Int.max, "maximum_bytes", "1 or more")
    }
    self.init(maximumPixels: pixels, maximumBytes: bytes)
  }

  /// Writes the object that the extension describes.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(maximumPixels, forKey: .maximumPixels)
    try values.encodeIfPresent(maximumBytes, forKey: .maximumBytes)
  }
}

/// An object with the keys `width`, `height` and `focal_length_px`, all in pixels.
extension Camera: Codable {
  private enum CodingKeys: String, CodingKey, CaseIterable {
    case width, height
    case focalLength = "focal_length_px"
  }

  /// Reads the object that the extension describes; a key of another name is an error.
  ///
  /// - Throws: `DecodingError`, also for values out of range.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.settings(CodingKeys.self)
    let (width, height) = (
      try values.decode(Int.self, forKey: .width), try values.decode(Int.self, forKey: .height)
    )
    let focalLength = try values.decode(Double.self, forKey: .focalLength)
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
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(width, forKey: .width)
    try values.encode(height, forKey: .height)
    try values.encode(focalLength, forKey: .focalLength)
  }
}

/// The text `photo`, or an object with one of the keys `pixels`, `equivalent_35mm` (millimetres) and
/// `field_of_view` (degrees).
extension Camera.FocalLength: Codable {
  private enum CodingKeys: String, CodingKey, CaseIterable {
    case pixels
    case equivalent35mm = "equivalent_35mm"
    case fieldOfView = "field_of_view"
  }

  /// Reads the name.
  ///
  /// - Throws: `DecodingError` for any other text.
  public init(from decoder: any Decoder) throws {
    guard let values = try? decoder.settings(CodingKeys.self) else {
      self = try decoder.named(
        "the focal length", ["photo, or an object with pixels, equivalent_35mm or field_of_view"]
      ) { $0 == "photo" ? .photo : nil }
      return
    }
    guard values.allKeys.count == 1, let key = values.allKeys.first else {
      throw decoder.damaged(
        "has \(values.allKeys.count) keys, expected one of pixels, equivalent_35mm, field_of_view")
    }
    let number = try values.decode(Double.self, forKey: key)
    switch key {
    case .pixels: self = .pixels(number)
    case .equivalent35mm: self = .equivalent35mm(number)
    case .fieldOfView: self = .fieldOfView(number)
    }
  }

  /// Writes the name.
  public func encode(to encoder: any Encoder) throws {
    if case .photo = self {
      var container = encoder.singleValueContainer()
      return try container.encode("photo")
    }
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .pixels(let length): try container.encode(length, forKey: .pixels)
    case .equivalent35mm(let length): try container.encode(length, forKey: .equivalent35mm)
    case .fieldOfView(let degrees): try container.encode(degrees, forKey: .fieldOfView)
    case .photo: break
    }
  }
}

/// The text `white` or `black`.
extension DepthMap.Polarity: Codable {}

/// The text `metres`, `disparity`, `normalized-white` or `normalized-black`, the color of the nearest point.
extension DepthMap.Unit: Codable {
  private static let names: [(name: String, unit: DepthMap.Unit)] = [
    ("metres", .metres), ("disparity", .disparity),
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
extension PixelSize: Codable {
  private enum CodingKeys: String, CodingKey, CaseIterable { case width, height }

  package init(from decoder: any Decoder) throws {
    let values = try decoder.settings(CodingKeys.self)
    self.init(
      width: try values.decode(Int.self, forKey: .width),
      height: try values.decode(Int.self, forKey: .height))
    let sides = [width, height]
    try decoder.checking {
      for side in sides { try side.checked(in: 1...8192, "a side", "1 to 8192 pixels") }
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(width, forKey: .width)
    try values.encode(height, forKey: .height)
  }
}
