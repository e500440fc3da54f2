import SystemEssentials

/// The line `v = scale · u + shift` through pairs with outliers.
///
/// 1. The slope is the median over all pairs of points, and the intercept the median for this slope.
/// 2. A point is excluded if its distance exceeds both 5 % of its `v` and three standard deviations. The median distance gives
///   the standard deviation.
/// 3. The line is the least-squares fit to the included points. Without outliers, this is plain least squares.
///
/// Up to 29 % of the points may be outliers. With fewer than four points, no point is excluded.
///
/// > Source: P. K. Sen. “Estimates of the Regression Coefficient Based on Kendall's Tau.” Journal of the American Statistical
/// > Association 63 (324), 1968, for step 1; P. J. Rousseeuw, A. M. Leroy. “Robust Regression and Outlier Detection.” 1987,
/// > chapter 5, for least squares after the rejection of outliers.
struct RobustLine {
  /// Minimum number of points to detect an outlier: three points that agree, and the outlier.
  static let fewestPoints = 4
  /// Number of points whose pairs determine the slope, spread over all points.
  private static let sampled = 400
  private static let deviations = 3.0
  /// Accepted distance from the line, as a share of `v`.
  private static let tolerance = 0.05

  /// Whether the least-squares fit uses each of the points.
  let isUsed: [Bool]

  /// - Precondition: `u` and `v` have equal counts, and all numbers are finite.
  init(through u: [Double], _ v: [Double]) {
    precondition(u.count == v.count, "\(u.count) and \(v.count) numbers")
    guard u.count >= Self.fewestPoints else {
      isUsed = [Bool](repeating: true, count: u.count)
      return
    }
    let count = min(u.count, Self.sampled)
    let sample = (0..<count).map { $0 * u.count / count }
    var slopes: [Double] = []
    slopes.reserveCapacity(count * (count - 1) / 2)
    for (place, i) in sample.enumerated() {
      for j in sample[(place + 1)...] where u[i] != u[j] {
        slopes.append((v[i] - v[j]) / (u[i] - u[j]))
      }
    }
    guard !slopes.isEmpty else {
      isUsed = [Bool](repeating: true, count: u.count)
      return
    }
    let slope = Self.median(slopes)
    let shift = Self.median(zip(u, v).map { $1 - slope * $0 })
    let distances = zip(u, v).map { abs($1 - slope * $0 - shift) }
    // Half of a normal distribution lies within .6745 standard deviations.
    let limit = Self.deviations * Self.median(distances) / 0.6745
    isUsed = zip(distances, v).map { $0 <= max(limit, Self.tolerance * abs($1)) }
  }

  private static func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
}
