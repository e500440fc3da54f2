import DepthErrors
import DepthImages

/// The size of a refined map.
///
/// ```swift
/// let small = try depth.refined(guidedBy: photo, resolution: .size(height: 480, width: 640))
/// ```
public enum OutputResolution: Sendable, Hashable, Codable {
  /// The size of the photo. For the method ``RefinementMethod/none``, the size of the map before refinement.
  case automatic
  /// The size of the map before refinement.
  case network
  /// The size of the photo.
  case photo
  /// A size with sides of 1 to 65 535 pixels and at most 2²⁸ pixels in total. The photo is first resampled to
  /// this size.
  case size(height: Int, width: Int)

  /// Allowed width and height of a map, in pixels.
  package static let sides = 1...65_535
  /// Accepted sides in a request.
  package static let requestedSides = 1...32_768
  /// The maximum pixels of an input picture.
  private static let largestArea = ImageLimits().maximumPixels

  /// Parses `network`, `photo` or `WIDTHxHEIGHT`, such as `640x480`; `nil` for other text.
  package init?(_ text: String) {
    switch text {
    case "network": self = .network
    case "photo": self = .photo
    default:
      guard let size = PixelSize(text, sides: 1...Int.max) else { return nil }
      self = .size(height: size.height, width: size.width)
    }
  }

  /// The size for a method, which is never ``automatic``.
  package func resolved(for method: RefinementMethod) -> OutputResolution {
    self == .automatic ? (method == .none ? .network : .photo) : self
  }

  /// - Throws: `DepthError` for a size out of range.
  func size(
    of map: DepthMap, photo: Image, method: RefinementMethod
  ) throws -> (height: Int, width: Int) {
    switch resolved(for: method) {
    case .network: return (map.height, map.width)
    case .photo, .automatic: return (photo.height, photo.width)
    case .size(let height, let width):
      try Self.check(height: height, width: width)
      return (height, width)
    }
  }

  /// - Throws: `DepthError` for a size out of range.
  package static func check(height: Int, width: Int) throws {
    guard sides.contains(height), sides.contains(width), height * width <= largestArea else {
      throw DepthError.invalidArgument(
        name: "the size of the map", found: "\(width)×\(height)",
        expected: "1 to \(sides.upperBound) pixels a side and at most \(largestArea) in all")
    }
  }
}
