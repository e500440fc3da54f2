/// Refinement at the map's own size, in disparity, then joint upsampling to the photo's.
///
/// A network's map is soft: across an edge it ramps from one depth to the other over a few pixels, and
/// those in-between depths belong to neither side. Three things follow. Filtering comes before
/// stretching, while the ramp is few pixels wide. Pixels on a ramp get little weight, so that the flat
/// parts on both sides decide and colour says which side a pixel is on. And the filter works in
/// disparity, in which a plane is linear, so that symmetric windows do not bend floors and walls.
public struct JointFilter: Sendable, Hashable {
  /// Passes of the filter at the map's size.
  public var passes: Int
  /// Half its window, pixels of the map.
  public var radius: Int
  /// Pixels of the map.
  public var sigmaSpatial: Float
  /// Colours in 0…1, for the filter and for the upsampling.
  public var sigmaRange: Float
  /// Standard deviation of a 3 × 3 neighbourhood, as a share of its mean, at which a pixel counts
  /// half: `weight = 1 / (1 + (deviation / (edgeTolerance · mean))²)`.
  public var edgeTolerance: Float

  /// - Precondition: counts are not negative, sigmas and the tolerance are positive.
  public init(
    passes: Int = 2, radius: Int = 6, sigmaSpatial: Float = 3, sigmaRange: Float = 0.03,
    edgeTolerance: Float = 0.03
  ) {
    precondition(
      passes >= 0 && radius >= 0, "passes \(passes), radius \(radius), expected 0 or more")
    precondition(
      min(sigmaSpatial, sigmaRange, edgeTolerance) > 0,
      "sigmas \(sigmaSpatial), \(sigmaRange), tolerance \(edgeTolerance), expected positive")
    (self.passes, self.radius, self.sigmaSpatial) = (passes, radius, sigmaSpatial)
    (self.sigmaRange, self.edgeTolerance) = (sigmaRange, edgeTolerance)
  }
}
