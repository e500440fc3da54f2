public import DepthImages

/// The parallax of real eyes or cameras in front of a real screen.
///
/// A point at depth `Z` has the parallax `f · B · (1/Zc − 1/Z)` pixels between right and left view: 0 at the distance of the
/// screen, and nearly `f · B / Zc` far behind it.
///
/// ```swift
/// let parallax = MetricParallax(baseline: 0.063, focalLength: .fieldOfView(63), screenDistance: 3)
/// ```
public struct MetricParallax: Sendable, Hashable, Codable {
  /// Distance between the eyes, metres.
  public var baseline: Double
  /// The focal length `f` of the photo's camera.
  public var focalLength: Camera.FocalLength
  /// Distance `Zc` of the plane without parallax, metres.
  public var screenDistance: Double

  /// Creates the parallax of eyes `baseline` metres apart, 63 mm by default.
  public init(baseline: Double = 0.063, focalLength: Camera.FocalLength, screenDistance: Double) {
    self.baseline = baseline
    self.focalLength = focalLength
    self.screenDistance = screenDistance
  }
}
