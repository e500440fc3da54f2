import DepthErrors
import DepthImages
import SystemEssentials

extension DepthCalibration {
  /// How well a fit meets its points; of fits that may leave points out.
  package struct Fit: Sendable, Hashable, Codable {
    /// Points that were given, and how many of them were left out as wrong.
    package var points, leftOut: Int
    /// Root of the mean square of the errors of the others, and the middle one of their magnitudes; metres.
    package var rms, medianError: Double

    private enum CodingKeys: String, CodingKey {
      case points
      case leftOut = "left_out"
      case rms = "rms_m"
      case medianError = "median_error_m"
    }
  }

  /// Pairs of the map's own number and the known 1/Z, and the line through them.
  struct PointFit {
    let scale, shift: Double
    /// Whether each point counts.
    let isUsed: [Bool]
    /// Depth of each point by the line; the largest distance that makes sense where it puts the point beyond infinity.
    let calibrated: [Double]

    /// - Parameters:
    ///   - predicted: Ẑ or relative disparity at each point.
    ///   - metres: The known distances.
    ///   - map: That of `predicted`.
    ///   - isRobust: Whether points that are far off are left out.
    ///   - isSparse: Whether single points may end up beyond infinity, as some of thousands do; they are left out then.
    /// - Throws: `DepthError` where no line follows, or it contradicts the points.
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

    /// Spread of the numbers, relative to their mean or the range of relative disparity, below which no shift can be determined.
    private static let smallestSpread = 1e-4

    /// The line `v = scale · u + shift` nearest to all points; through the origin when there is one.
    ///
    /// - Parameter leastSpread: The range of relative disparity; `nil` for numbers that are 1 / metres.
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

    /// The summary of the points that count.
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
