#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Sums over pixels from which every pooled error of the depth literature follows.
package struct DepthErrorSums: Sendable, Equatable {
  /// Pixels that count.
  package var count = 0
  /// Σ |y − ŷ| / y and Σ (y − ŷ)², y the truth and ŷ the prediction, in metres.
  package var relative = 0.0
  package var squared = 0.0
  /// Σ d, Σ |d| and Σ d², d = ln ŷ − ln y.
  package var log = 0.0
  package var absoluteLog = 0.0
  package var squaredLog = 0.0
  /// Pixels with max(y/ŷ, ŷ/y) < 1.25, 1.25² and 1.25³.
  package var within1 = 0
  package var within2 = 0
  package var within3 = 0

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

/// A rectangle of a map, and which of its true depths count.
package struct DepthRegion: Sendable, Equatable {
  package var rows, columns: Range<Int>
  /// Depths count that lie strictly between these, metres.
  package var nearest, farthest: Float

  package init(
    rows: Range<Int>, columns: Range<Int>, nearest: Float = 0, farthest: Float = .infinity
  ) {
    (self.rows, self.columns) = (rows, columns)
    (self.nearest, self.farthest) = (nearest, farthest)
  }

  /// Whether a true depth counts; NaN does not.
  @inline(__always)
  package func isMeasured(_ depth: Float) -> Bool { depth > nearest && depth < farthest }
}

/// Sums the errors of a predicted map.
///
/// Every row is summed by itself in 64 bits, and the rows one after another.
///
/// - Parameters:
///   - prediction: `height × width` positive finite depths, metres.
///   - truth: As many true depths; those outside the region's limits do not count.
///   - width: Columns of both.
/// - Precondition: the region lies in the map.
/// - Complexity: Two divisions and one logarithm a pixel.
package func depthErrorSums(
  _ prediction: [Double], truth: [Float], width: Int, in region: DepthRegion
) -> DepthErrorSums {
  check(prediction, truth, width, region)
  let (limit1, limit2, limit3) = (1.25, 1.25 * 1.25, 1.25 * 1.25 * 1.25)
  var total = DepthErrorSums()
  prediction.withUnsafeBufferPointer { prediction in
    truth.withUnsafeBufferPointer { truth in
      for row in region.rows {
        var sums = DepthErrorSums()
        for i in row * width + region.columns.lowerBound..<row * width + region.columns.upperBound {
          guard region.isMeasured(truth[i]) else { continue }
          let (y, p) = (Double(truth[i]), prediction[i])
          let difference = p - y
          let ratio = p / y
          let d = systemLog(ratio)
          let larger = p > y ? ratio : y / p
          sums.count += 1
          sums.relative += abs(difference) / y
          sums.squared += difference * difference
          sums.log += d
          sums.absoluteLog += abs(d)
          sums.squaredLog += d * d
          sums.within1 += larger < limit1 ? 1 : 0
          sums.within2 += larger < limit2 ? 1 : 0
          sums.within3 += larger < limit3 ? 1 : 0
        }
        total += sums
      }
    }
  }
  return total
}

/// - Precondition: both maps have `width` columns and as many rows, and hold the region.
func check(_ prediction: [Double], _ truth: [Float], _ width: Int, _ region: DepthRegion) {
  precondition(
    prediction.count == truth.count,
    "\(prediction.count) depths, expected the truth's \(truth.count)")
  precondition(
    width > 0 && region.rows.lowerBound >= 0 && region.columns.lowerBound >= 0
      && region.columns.upperBound <= width && region.rows.upperBound * width <= truth.count,
    "rows \(region.rows) and columns \(region.columns) of \(truth.count) depths \(width) wide")
}

/// The natural logarithm, under a name that no property hides.
@inline(__always)
private func systemLog(_ x: Double) -> Double { log(x) }
