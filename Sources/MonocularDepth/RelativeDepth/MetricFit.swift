package import DepthImages

/// The conversion of relative disparity to metres: `Z = 1 / (gain · max(r + shift, floor))`.
///
/// The conversion is fitted to a metric map of the same photo, the yardstick, which may be blurred. The map keeps its shape,
/// but gets the yardstick's logarithmic range and median.
///
/// ```swift
/// let estimator = try DepthEstimator(.named("zipdepth"), metres: .default)
/// let estimate = try estimator.estimate(of: photo)
/// if let fit = estimate.metricFit, !fit.isTrusted { print("the two networks see different scenes") }
/// ```
public struct MetricFit: Sendable, Hashable {
  /// 1 / metres per unit of relative disparity; positive.
  public let gain: Double
  /// The shift of relative disparity before the multiplication.
  public let shift: Double
  /// The minimum of the sum of relative disparity and ``shift``, which keeps far points finite.
  package let floor: Double
  /// Spearman's rank correlation of the two maps over the cells of a grid, −1…1.
  public let agreement: Double

  /// Whether the maps agree well enough to trust the metres: the agreement is at least .5.
  public var isTrusted: Bool { agreement >= Self.leastAgreement }

  private static let leastAgreement = 0.5

  /// The map in metres. Pixels without a value stay without a value.
  ///
  /// - Parameter range: The range to which metres are clamped; `nil` for no clamping.
  /// - Precondition: The map has relative disparity.
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

/// The yardstick's quantiles and the fitted median, which define a fit. In a film, they are smoothed within a shot, while
/// gain and shift differ between frames.
package struct MetricScale: Sendable, Equatable {
  /// ln of 1 / metres at the quantiles .9 and .1 of the yardstick.
  package var near, far: Double
  /// The median of ln metres of the fitted map.
  package var median: Double

  package init(near: Double, far: Double, median: Double) {
    (self.near, self.far, self.median) = (near, far, median)
  }
}
