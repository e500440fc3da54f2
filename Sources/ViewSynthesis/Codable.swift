import DepthErrors
import DepthImages
import ProcessLimits

// Keys are part of the interface: they are documented here, and never change their meaning.

/// Texts: the raw values.
extension StereoOptions.HoleFilling: Codable {}
extension StereoOptions.FrameEdges: Codable {}
extension Anaglyph: Codable {}

/// An object with the keys `amount`, `convergence`, `balance`, `linear_in`, `edge_dilation`, `hole_filling`,
/// `frame_edges`, `renderer` and `threads`; missing ones take their defaults.
extension StereoOptions: Codable {
  private enum CodingKeys: String, CodingKey, CaseIterable {
    case amount, convergence, balance
    case linearIn = "linear_in"
    case edgeDilation = "edge_dilation"
    case holeFilling = "hole_filling"
    case frameEdges = "frame_edges"
    case renderer, threads
  }

  /// Reads the object that the extension describes; a key of another name is an error.
  ///
  /// - Throws: `DecodingError`, also for values out of range.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.settings(CodingKeys.self)
    self.init()
    amount = try values.value(.amount, default: amount)
    convergence = try values.value(.convergence, default: Convergence(convergence)).share
    balance = try values.value(.balance, default: balance)
    linearIn = try values.value(.linearIn, default: linearIn)
    edgeDilation = try values.decodeIfPresent(EdgeDilation.self, forKey: .edgeDilation)
    holeFilling = try values.value(.holeFilling, default: holeFilling)
    frameEdges = try values.value(.frameEdges, default: frameEdges)
    renderer = try values.value(.renderer, default: renderer)
    threads = try values.decodeIfPresent(Int.self, forKey: .threads)
    let (balance, threads) = (balance, threads)
    try decoder.checking {
      try balance.checked(in: 0...1, "balance", "0 to 1")
      _ = try ThreadCount.checked(threads)
    }
  }

  /// Writes the object that the extension describes.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(amount, forKey: .amount)
    try values.encode(Convergence(convergence), forKey: .convergence)
    try values.encode(balance, forKey: .balance)
    try values.encode(linearIn, forKey: .linearIn)
    try values.encodeIfPresent(edgeDilation, forKey: .edgeDilation)
    try values.encode(holeFilling, forKey: .holeFilling)
    try values.encode(frameEdges, forKey: .frameEdges)
    try values.encode(renderer, forKey: .renderer)
    try values.encodeIfPresent(threads, forKey: .threads)
  }
}

/// An object with one of the keys `shift`, a fraction of the width, and `metric`, a ``MetricParallax``.
extension StereoOptions.Amount: Codable {
  private enum CodingKeys: String, CodingKey, CaseIterable { case shift, metric }

  /// Reads the object that the extension describes; a key of another name is an error.
  ///
  /// - Throws: `DecodingError`, also for values out of range.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.settings(CodingKeys.self)
    guard values.allKeys.count == 1 else {
      throw decoder.damaged("has \(values.allKeys.count) keys, expected one of shift, metric")
    }
    if values.contains(.metric) {
      self = .metric(try values.decode(MetricParallax.self, forKey: .metric))
    } else {
      let shift = try values.decode(Double.self, forKey: .shift)
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
    var values = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .shift(let shift): try values.encode(shift, forKey: .shift)
    case .metric(let parallax): try values.encode(parallax, forKey: .metric)
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
extension StereoOptions.EdgeDilation: Codable {
  private enum CodingKeys: String, CodingKey, CaseIterable { case across, down }

  /// Reads the object that the extension describes; a key of another name is an error.
  ///
  /// - Throws: `DecodingError`, also for values out of range.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.settings(CodingKeys.self)
    self.init(
      across: try values.decode(Int.self, forKey: .across),
      down: try values.decode(Int.self, forKey: .down))
    let sides = [across, down]
    try decoder.checking {
      for side in sides { try side.checked(in: 0...64, "edge dilation", "0 to 64 pixels") }
    }
  }

  /// Writes the object that the extension describes.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(across, forKey: .across)
    try values.encode(down, forKey: .down)
  }
}

/// An object with the keys `baseline_m`, `focal_length` and `screen_distance_m`; the baseline may be missing.
extension MetricParallax: Codable {
  private enum CodingKeys: String, CodingKey, CaseIterable {
    case baseline = "baseline_m"
    case focalLength = "focal_length"
    case screenDistance = "screen_distance_m"
  }

  /// Reads the object that the extension describes; a key of another name is an error.
  ///
  /// - Throws: `DecodingError`, also for values out of range.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.settings(CodingKeys.self)
    self.init(
      focalLength: try values.decode(Camera.FocalLength.self, forKey: .focalLength),
      screenDistance: try values.decode(Double.self, forKey: .screenDistance))
    baseline = try values.value(.baseline, default: baseline)
    let lengths = [("baseline_m", baseline), ("screen_distance_m", screenDistance)]
    try decoder.checking {
      for (name, length) in lengths where !(length > 0 && length.isFinite) {
        throw DepthError.invalidArgument(
          name: name, found: "\(length)", expected: "more than 0 metres")
      }
    }
  }

  /// Writes the object that the extension describes.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(baseline, forKey: .baseline)
    try values.encode(focalLength, forKey: .focalLength)
    try values.encode(screenDistance, forKey: .screenDistance)
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
