import DepthErrors
import DepthImages
import SystemEssentials

extension DepthCalibration {
  /// The errors of a fit that may exclude points.
  package struct Fit: Sendable, Hashable, Codable {
    /// The number of points, and the number of points that are excluded as outliers.
    package var points, leftOut: Int
    /// Root mean square and median magnitude of the errors of the included points, metres.
    package var rms, medianError: Double

    private enum CodingKeys: String, CodingKey {
      case points
      case leftOut = "left_out"
      case rms = "rms_m"
      case medianError = "median_error_m"
    }
  }

  /// The line through pairs of the map's number and the known 1/Z.
  struct PointFit {
    let scale, shift: Double
    /// Whether the fit uses each of the points.
    let isUsed: [Bool]
    /// Depth of each point by the line; the largest accepted distance for a point that the line puts beyond infinity.
    let calibrated: [Double]

    /// - Parameters:
    ///   - predicted: Ẑ or relative disparity at each point.
    ///   - metres: The known distances.
    ///   - map: The map of `predicted`.
    ///   - isRobust: Whether outliers are excluded.
    ///   - isSparse: Whether a minority of points beyond infinity is excluded instead of rejected.
    /// - Throws: `DepthError` if no line can be fitted, or if the line contradicts the points.
    init(
      _ predicted: [Double], metres: [Double], map: DepthMap, isRobust: Bool, isSparse: Bool
    ) throws {
      let isRelative = map.unit == .relativeDisparity
      let u = isRelative ? predicted : predicted.map { 1 / $0 }
      let v = metres.map { 1 / $0 }
      var isUsed =
        isRobust
        ? RobustLine(through: u, v).isUsed : [Bool](repeating: true, count: u.count)
      let used = u.indices.filter { isUsed[$0] }
      let (scale, shift) = try Self.line(
        through: used.map { u[$0] }, used.map { v[$0] },
        leastSpread: isRelative ? map.range().map { Double($0.high - $0.low) } : nil)
      let disparities = u.map { scale * $0 + shift }
      let beyond = used.filter { !(disparities[$0] > 0) }
      guard scale > 0, isSparse ? 2 * beyond.count < used.count : beyond.isEmpty else {
        throw DepthError.contradiction(scale: scale, shift: shift)
      }
      for index in beyond { isUsed[index] = false }
      (self.scale, self.shift, self.isUsed) = (scale, shift, isUsed)
      calibrated = disparities.map {
        $0 > 0 ? min(1 / $0, distances.upperBound) : distances.upperBound
      }
    }

    /// The smallest spread of the numbers from which a shift can be determined, as a share of their mean or of the range of
    /// relative disparity.
    private static let smallestSpread = 1e-4

    /// The least-squares line `v = scale · u + shift`; for a single point, the line through the origin.
    ///
    /// - Parameter leastSpread: The range of relative disparity; `nil` for reciprocals of metres.
    private static func line(
      through u: [Double], _ v: [Double], leastSpread range: Double?
    ) throws -> (scale: Double, shift: Double) {
      guard u.count > 1 else {
        guard range == nil else { throw DepthError.onePoint }
        return (v[0] / u[0], 0)
      }
      let count = Double(u.count)
      let (meanU, meanV) = (u.reduce(0, +) / count, v.reduce(0, +) / count)
      let variance = u.reduce(0) { $0 + ($1 - meanU) * ($1 - meanU) } / count
      guard variance.squareRoot() > smallestSpread * (range ?? meanU) else {
        throw DepthError.sameDepth(metres: range == nil ? 1 / meanU : nil)
      }
      let covariance = zip(u, v).reduce(0) { $0 + ($1.0 - meanU) * ($1.1 - meanV) } / count
      let scale = covariance / variance
      return (scale, meanV - scale * meanU)
    }

    /// The errors of the points that the fit uses.
    func summary(metres: [Double]) -> Fit {
      let errors = metres.indices.filter { isUsed[$0] }.map { abs(calibrated[$0] - metres[$0]) }
      let squares = errors.reduce(0) { $0 + $1 * $1 }
      return Fit(
        points: metres.count, leftOut: metres.count - errors.count,
        rms: (squares / Double(max(errors.count, 1))).squareRoot(),
        medianError: errors.isEmpty ? 0 : errors.sorted()[errors.count / 2])
    }
  }
}
