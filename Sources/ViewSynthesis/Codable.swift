public import DepthErrors
import DepthImages
import ProcessLimits

// Keys are part of the interface: they are documented here, and never change their meaning.

/// Texts: the raw values.
extension StereoOptions.HoleFilling: Codable {}
extension StereoOptions.FrameEdges: Codable {}
extension Anaglyph: Codable {}

/// An object with the keys `amount`, `convergence`, `balance`, `linear_in`, `edge_dilation`, `hole_filling`,
/// `frame_edges`, `renderer` and `threads`; missing keys take their defaults.
extension StereoOptions: Codable, SettingsCodable {
  package static let settings = SettingsTable(
    StereoOptions(), .defaulted("amount", \.amount),
    .defaulted("convergence", \.writtenConvergence), .defaulted("balance", \.balance),
    .defaulted("linear_in", \.linearIn), .optional("edge_dilation", \.edgeDilation),
    .defaulted("hole_filling", \.holeFilling), .defaulted("frame_edges", \.frameEdges),
    .defaulted("renderer", \.renderer), .optional("threads", \.threads)
  ) {
    try $0.balance.checked(in: 0...1, "balance", "0 to 1")
    _ = try ThreadCount.checked($0.threads)
  }

  private var writtenConvergence: Convergence {
    get { Convergence(convergence) }
    set { convergence = newValue.share }
  }
}

/// An object with one key: `shift`, a fraction of the width, or `metric`, a ``MetricParallax``.
extension StereoOptions.Amount: Codable {
  /// Reads the object that the extension describes; a key of another name is an error.
  ///
  /// - Throws: `DecodingError`, also for values out of range.
  public init(from decoder: any Decoder) throws {
    let (key, values) = try decoder.choice(of: ["shift", "metric"])
    if key.stringValue == "metric" {
      self = .metric(try values.decode(MetricParallax.self, forKey: key))
    } else {
      let shift = try values.decode(Double.self, forKey: key)
      try decoder.checking {
        try shift.checked(
          in: -Parallax.limit...Parallax.limit, "shift",
          "\(-Parallax.limit) to \(Parallax.limit) of the width")
      }
      self = .shift(shift)
    }
  }

  /// Writes the object that the extension describes.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: SettingsObject.CodingKeys.self)
    switch self {
    case .shift(let shift): try values.encode(shift, forKey: "shift")
    case .metric(let parallax): try values.encode(parallax, forKey: "metric")
    }
  }
}

/// The text `automatic`, or a number 0…1.
private struct Convergence: Codable {
  let share: Double?

  init(_ share: Double?) { self.share = share }

  init(from decoder: any Decoder) throws {
    guard let value = try? decoder.singleValueContainer().decode(Double.self) else {
      share = try decoder.named("convergence", ["automatic", "a number 0 to 1"]) {
        $0 == "automatic" ? .some(nil) : nil
      }
      return
    }
    try decoder.checking { try value.checked(in: 0...1, "convergence", "0 to 1") }
    share = value
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let share { try container.encode(share) } else { try container.encode("automatic") }
  }
}

/// An object with the keys `across` and `down`, pixels of the map.
extension StereoOptions.EdgeDilation: Codable, SettingsCodable {
  package static let settings = SettingsTable(
    StereoOptions.EdgeDilation.off, .required("across", \.across), .required("down", \.down)
  ) {
    for side in [$0.across, $0.down] {
      try side.checked(in: 0...64, "edge dilation", "0 to 64 pixels")
    }
  }
}

/// An object with the keys `baseline_m`, `focal_length` and `screen_distance_m`; the baseline may be missing.
extension MetricParallax: Codable, SettingsCodable {
  package static let settings = SettingsTable(
    MetricParallax(focalLength: .photo, screenDistance: 0), .defaulted("baseline_m", \.baseline),
    .required("focal_length", \.focalLength), .required("screen_distance_m", \.screenDistance)
  ) {
    let lengths = [("baseline_m", $0.baseline), ("screen_distance_m", $0.screenDistance)]
    for (name, length) in lengths where !(length > 0 && length.isFinite) {
      throw DepthError.invalidArgument(
        name: name, found: "\(length)", expected: "more than 0 metres")
    }
  }
}

/// A text, the raw value.
extension StereoRenderer: Codable {
  /// Reads the name.
  ///
  /// - Throws: `DecodingError` for any other text.
  public init(from decoder: any Decoder) throws {
    self = try decoder.named(
      "the renderer", Self.allCases.map(\.rawValue), StereoRenderer.init(rawValue:))
  }
}
