package import DepthErrors
package import DepthImages
import SystemEssentials

/// A comparison of a map of relative disparity with a metric map of the same photo, on a grid.
///
/// The fit is closed-form and aligns three pairs of weighted quantiles. If `A · r + B` with positive `A` replaces r, the
/// fitted metres do not change.
package struct MetricComparison: Sendable, Equatable {
  private let map: DepthMap
  private let range: ClosedRange<Float>?
  /// Mean relative disparity of each cell that has a value in both maps.
  private let relative: [Double]
  /// Mean ln of 1 / metres, for the same cells.
  private let logDisparity: [Double]
  /// 1 / e² for the expected error e of the metric map.
  private let weights: [Double]
  /// A range of relative disparity below which differences are rounding errors.
  private let leastSpan: Double
  /// Spearman's rank correlation of ``relative`` and ``logDisparity``.
  private let agreement: Double
  /// The factor of the yardstick's logarithmic range.
  private let widening: Double
  /// The scale of this photo alone.
  package private(set) var scale: MetricScale

  /// The quantiles that the fit aligns.
  private static let quantiles = (low: 0.1, high: 0.9)
  /// Smallest sum of relative disparity and shift, as a share of the range between the quantiles.
  private static let floorShare = 0.05
  /// The expected relative error of metric maps whose network predicts no errors.
  private static let usualError: Float = 0.1
  private static let leastError = 0.01
  private static let leastCells = 100

  /// - Parameters:
  ///   - relative: A map of relative disparity.
  ///   - metric: A map in metres, of any size, over the same field of view.
  ///   - errors: Expected relative errors of the metric map; `nil` if its network predicts no errors.
  ///   - widening: The factor of the metric map's logarithmic range.
  ///   - range: Accepted metres of fitted maps; `nil` for no bounds.
  /// - Throws: `DepthError` with code `noDepth` if fewer than 100 cells have a value in both maps.
  package init(
    _ relative: DepthMap, to metric: DepthMap, errors: ErrorMap?, widening: Double,
    within range: ClosedRange<Float>? = nil
  ) throws(DepthError) {
    precondition(
      relative.unit == .relativeDisparity && metric.unit == .metres,
      "maps in \(relative.unit) and \(metric.unit), expected relative disparity and metres")
    let r = MapGrid(relative.values, height: relative.height, width: relative.width) {
      relative.hasValue($0) ? Double($0) : .nan
    }.means
    let u = MapGrid(metric.values, height: metric.height, width: metric.width) {
      metric.hasValue($0) ? -log(Double($0)) : .nan
    }.means
    let e =
      errors.map { MapGrid($0.values, height: $0.height, width: $0.width, Double.init).means }
      ?? [Double](repeating: Double(Self.usualError), count: r.count)
    let cells = r.indices.filter { !r[$0].isNaN && !u[$0].isNaN }
    guard cells.count >= Self.leastCells else {
      throw DepthError(
        .noDepth,
        "its relative depth cannot be fitted to metres: \(cells.count) of \(r.count) cells have a value in both maps, "
          + "expected at least \(Self.leastCells)")
    }
    (map, self.range) = (relative, range)
    self.relative = cells.map { r[$0] }
    logDisparity = cells.map { u[$0] }
    weights = cells.map { cell in
      let error = max(e[cell], Self.leastError)
      return 1 / (error * error)
    }
    leastSpan = 1e-9 * self.relative.reduce(1) { max($0, abs($1)) }
    // The ranks of a constant map result from rounding.
    let isConstant = (self.relative.max() ?? 0) - (self.relative.min() ?? 0) < leastSpan
    agreement = isConstant ? 0 : self.relative.rankCorrelation(with: logDisparity)
    self.widening = widening
    scale = MetricScale(near: 0, far: 0, median: 0)
    scale = ownScale()
  }

  /// The scale for a median ratio of 1 between the two maps.
  private func ownScale() -> MetricScale {
    var scale = MetricScale(
      near: logDisparity.quantile(Self.quantiles.high, weights: weights),
      far: logDisparity.quantile(Self.quantiles.low, weights: weights), median: 0)
    let logs = logarithms(to: scale)
    let gain = zip(logDisparity, logs.values).map(-).quantile(0.5, weights: weights)
    scale.median = -gain - logs.values.quantile(0.5, weights: weights)
    return scale
  }

  /// The fit of this photo's map to a scale: the photo's own or that of a shot.
  package func fit(to scale: MetricScale) -> MetricFit {
    let logs = logarithms(to: scale)
    let gain = -scale.median - logs.values.quantile(0.5, weights: weights)
    return MetricFit(gain: exp(gain), shift: logs.shift, floor: logs.floor, agreement: agreement)
  }

  /// The map in metres.
  package func metres(by fit: MetricFit) -> DepthMap { fit.metres(of: map, within: range) }

  /// Logarithm of shifted relative disparity. The shift gives the logarithm the range of the scale.
  private func logarithms(
    to scale: MetricScale
  ) -> (values: [Double], shift: Double, floor: Double) {
    let near = relative.quantile(Self.quantiles.high, weights: weights)
    let far = relative.quantile(Self.quantiles.low, weights: weights)
    // A constant map becomes a map of constant depth.
    let span = max(near - far, leastSpan)
    let ratio = exp(max(widening * (scale.near - scale.far), 1e-3))
    let shift = span / (ratio - 1) - far
    let floor = Self.floorShare * span
    return (relative.map { log(max($0 + shift, floor)) }, shift, floor)
  }
}
