import DepthImages

/// The size that a refined map gets.
public enum OutputResolution: Sendable, Hashable {
  /// The size of the map before refinement.
  case network
  /// The size of the photo.
  case photo
  /// Any size; the photo is brought to it first.
  case size(height: Int, width: Int)

  /// Reads `network`, `photo` or `WIDTHxHEIGHT`, such as `640x480`; `nil` for anything else.
  public init?(_ text: String) {
    switch text {
    case "network": self = .network
    case "photo": self = .photo
    default:
      let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
      guard sides.count == 2, let width = sides[0], let height = sides[1], min(width, height) > 0
      else { return nil }
      self = .size(height: height, width: width)
    }
  }

  func size(of map: DepthMap, photo: Image) -> (height: Int, width: Int) {
    switch self {
    case .network: (map.height, map.width)
    case .photo: (photo.height, photo.width)
    case .size(let height, let width): (height, width)
    }
  }
}
