public import DepthImages

/// What the numbers of a depth file mean.
public enum DepthUnit: Hashable, Sendable {
  /// 0.001 metres along the optical axis.
  case millimetre
  /// Metres along the optical axis.
  case metre
  /// 1 / metres.
  case disparity
  /// 0…1 over the map's own range.
  case normalized(near: DepthMap.Polarity)

  /// What a command line calls the units.
  public static let names = ["millimetre", "metre", "disparity", "normalized"]

  /// The unit of that name; `near` is asked for with `normalized` only.
  public init?(name: String, near: DepthMap.Polarity = .white) {
    switch name {
    case "millimetre": self = .millimetre
    case "metre": self = .metre
    case "disparity": self = .disparity
    case "normalized": self = .normalized(near: near)
    default: return nil
    }
  }

  /// One of ``names``.
  public var name: String {
    switch self {
    case .millimetre: "millimetre"
    case .metre: "metre"
    case .disparity: "disparity"
    case .normalized: "normalized"
    }
  }

  /// The kind of map that such a file becomes.
  public var kind: DepthMap.Kind {
    switch self {
    case .millimetre, .metre: .metres
    case .disparity: .disparity
    case .normalized(let near): .normalized(near: near)
    }
  }

  /// For errors: "normalized, near white".
  var phrase: String {
    if case .normalized(let near) = self { "\(name), near \(near.rawValue)" } else { name }
  }
}
