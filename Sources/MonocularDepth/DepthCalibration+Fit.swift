import DepthErrors
import DepthImages
import SystemEssentials

extension DepthCalibration {
  /// The errors of a fit that may exclude points.
  package struct Fit: Sendable, Hashable, Codable {
    /// The number of points, and how many of them are excluded as outliers.
    package var points, leftOut: Int
    /// Root mean square and median magnitude of the other points' errors, metres.
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
    /// Whether the fit uses each point.
    let isUsed: [Bool]
    /// Depth of each point by the line; the largest accepted distance if the line puts it beyond infinity.
    let calibrated: [Double]

    /// - Parameters:
    ///   - predicted: Ẑ or relative disparity at each point.
    ///   - metres: The known distances.
    ///   - map: The map of `predicted`.
    ///   - isRobust: Whether outliers are excluded.
    ///   - isSparse: Whether single points of thousands may end up beyond infinity; they are then excluded.
    /// - Throws: `DepthError` if no line can be fitted or it contradicts the points.
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

    /// Spread of the numbers below which no shift can be determined, relative to their mean or the range of relative disparity.
    private static let smallestSpread = 1e-4

    /// The least-squares line `v = scale · u + shift`; through the origin for a single point.
    ///
    /// - Parameter leastSpread: The range of relative disparity; `nil` for numbers in 1 / metres.
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
