import CDepthSIMD

/// Sums over pixels for all pooled errors of the depth literature.
package struct DepthErrorSums: Sendable, Equatable {
  /// Number of pixels that count.
  package var count = 0
  /// Σ |y − ŷ| / y and Σ (y − ŷ)², with y the truth and ŷ the prediction, in metres.
  package var relative = 0.0
  package var squared = 0.0
  /// Σ d, Σ |d| and Σ d², where d = ln ŷ − ln y.
  package var log = 0.0
  var absoluteLog = 0.0
  var squaredLog = 0.0
  /// Pixels with max(y/ŷ, ŷ/y) < 1.25, 1.25² and 1.25³.
  package var within1 = 0
  package var within2 = 0
  var within3 = 0

  package init() {}

  package static func += (sum: inout Self, other: Self) {
    sum.count += other.count
    sum.relative += other.relative
    sum.squared += other.squared
    sum.log += other.log
    sum.absoluteLog += other.absoluteLog
    sum.squaredLog += other.squaredLog
    sum.within1 += other.within1
    sum.within2 += other.within2
    sum.within3 += other.within3
  }
}

/// A rectangle of a map, with the limits of its true depths.
package struct DepthRegion: Sendable, Hashable {
  package var rows, columns: Range<Int>
  /// Only depths strictly between these limits count, metres.
  package var nearest: Float = 0
  package var farthest: Float = .infinity

  /// Returns whether a true depth counts. NaN does not count.
  @inline(__always)
  package func isMeasured(_ depth: Float) -> Bool { depth > nearest && depth < farthest }
}

extension DepthErrorSums {
  /// Adds a kernel's sums over a row.
  mutating func add(_ row: ck_depth_errors) {
    count += Int(row.count)
    relative += row.relative
    squared += row.squared
    log += row.log
    absoluteLog += row.absolute_log
    squaredLog += row.squared_log
    within1 += Int(row.within.0)
    within2 += Int(row.within.1)
    within3 += Int(row.within.2)
  }
}
