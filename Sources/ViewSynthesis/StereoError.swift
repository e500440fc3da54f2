#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Why a photo and its depth do not make a stereo pair.
public enum StereoError: Error, Equatable, Sendable {
  /// More shift was asked for than any eye can fuse; both numbers are fractions of the width.
  case shiftTooLarge(shift: Double, limit: Double)
  /// Baseline, focal length and screen distance move a point farther than the limit; both numbers are
  /// fractions of the width.
  case parallaxTooLarge(parallax: Double, limit: Double)
  /// The map cannot be of this photo: their sides differ too much in proportion.
  case aspectMismatch(photo: Size, depth: Size)
  /// No pixel of the map has a value.
  case noDepth(Size)
  /// Metric stereo needs metres; a normalised map has lost its scale.
  case noUnit
  /// The article's renderers know a shift only, not metric parallax.
  case shiftOnly
  /// The photo does not say its focal length, and none was given.
  case focalLengthUnknown
  /// A number outside what makes sense for it.
  case outOfRange(name: String, value: Double, expected: String)

  /// Width and height in pixels.
  public struct Size: Hashable, Sendable, CustomStringConvertible {
    public var width, height: Int

    public init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

    public var description: String { "\(width)×\(height)" }
  }
}

extension StereoError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .shiftTooLarge(let shift, let limit):
      "a shift of \(percent(shift)) of the width is too large, expected at most \(percent(limit))"
    case .parallaxTooLarge(let parallax, let limit):
      "the settings move a point by \(percent(parallax)) of the width, expected at most "
        + "\(percent(limit)): use a shorter baseline or a screen nearer to the scene's depth"
    case .aspectMismatch(let photo, let depth):
      "the depth map is \(depth) pixels and the photo \(photo): their proportions do not match"
    case .noDepth(let size): "the \(size) depth map has no pixel with a value"
    case .noUnit:
      "metric stereo needs depth in metres or disparity, found a normalised map without unit"
    case .shiftOnly: "the article's renderers take a shift, not a baseline and a focal length"
    case .focalLengthUnknown: "the photo does not say its focal length; give one"
    case .outOfRange(let name, let value, let expected):
      "\(name) is \(value), expected \(expected)"
    }
  }

  private func percent(_ fraction: Double) -> String {
    "\((fraction * 10_000).rounded() / 100) %"
  }
}

extension StereoError: LocalizedError {
  public var errorDescription: String? { description }
}
