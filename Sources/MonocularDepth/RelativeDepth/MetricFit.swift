package import DepthImages

/// The numbers that make metres of a map of relative disparity: `Z = 1 / (gain · max(r + shift, floor))`.
///
/// They are fitted to a metric map of the same photo, the yardstick, which may be soft: the map keeps its own shape, and takes over the
/// yardstick's range, in logarithms, and its median.
///
/// ```swift
/// let estimator = try DepthEstimator(.named("zipdepth"), metres: .default)
/// let estimate = try estimator.estimate(of: photo)
/// if let fit = estimate.metricFit, !fit.isTrusted { print("the two networks see different scenes") }
/// ```
public struct MetricFit: Sendable, Hashable {
  /// 1 / metres for a step of 1 of relative disparity. Positive.
  public let gain: Double
  /// Added to relative disparity before it is multiplied.
  public let shift: Double
  /// Smaller sums of relative disparity and ``shift`` are raised to it, so that far points stay finite.
  package let floor: Double
  /// Spearman's rank correlation of the two maps over the cells of a grid, −1…1.
  public let agreement: Double

  /// Whether the maps agree well enough for the metres to be trusted: the agreement is at least .5.
  public var isTrusted: Bool { agreement >= Self.leastAgreement }

  private static let leastAgreement = 0.5

  /// The map in metres. A pixel without a value gets none.
  ///
  /// - Parameter range: Metres are clamped to it; `nil` for no clamp.
  /// - Precondition: The map is one of relative disparity.
  package func metres(
    of map: DepthMap, within range: ClosedRange<Float>? = nil
  ) -> DepthMap {
    precondition(
      map.unit == .relativeDisparity, "a map in \(map.unit), expected relative disparity")
    return DepthMap(
      height: map.height, width: map.width, unit: .metres,
      values: map.values.map { value in
        guard map.hasValue(value) else { return 0 }
        let depth = 1 / (gain * max(Double(value) + shift, floor))
        guard let range else { return Float(depth) }
        return Float(min(max(depth, Double(range.lowerBound)), Double(range.upperBound)))
      })
  }
}

/// The yardstick's quantiles and the fitted median, which define a fit. In a film, they are smoothed within a shot; gain
/// and shift of relative disparity differ from frame to frame.
package struct MetricScale: Sendable, Equatable {
  /// ln of 1 / metres at the quantiles .9 and .1 of the yardstick.
  package var near, far: Double
  /// The median of ln metres of the fitted map.
  package var median: Double

  package init(near: Double, far: Double, median: Double) {
    (self.near, self.far, self.median) = (near, far, median)
  }
}
