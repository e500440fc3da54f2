import DepthImages

/// The unit of a map whose values are saved between the segments of a film.
enum SavedUnit: String, Sendable, Hashable, Codable {
  case metres, disparity, relativeDisparity

  /// - Precondition: The unit is a possible unit of a network's estimate.
  init(_ unit: DepthMap.Unit) {
    switch unit {
    case .metres: self = .metres
    case .disparity: self = .disparity
    case .relativeDisparity: self = .relativeDisparity
    case .normalized: preconditionFailure("a normalized map, expected an estimate")
    }
  }

  var unit: DepthMap.Unit {
    switch self {
    case .metres: .metres
    case .disparity: .disparity
    case .relativeDisparity: .relativeDisparity
    }
  }
}
