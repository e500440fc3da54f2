import CKernels

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
/// In 64 bits, a row at a time; the order of the sums, and so their last bits, depends on `isa`.
///
/// - Parameters:
///   - prediction: `height × width` positive finite depths, metres.
///   - truth: As many true depths; those outside the region's limits do not count.
///   - width: Columns of both.
/// - Precondition: the region lies in the map, and its nearest depth is not negative.
/// - Complexity: Three divisions and one logarithm a pixel.
package func depthErrorSums(
  _ prediction: [Double], truth: [Float], width: Int, in region: DepthRegion,
  isa: InstructionSet = .current
) -> DepthErrorSums {
  check(prediction, truth, width, region)
  let kernel = isa.kernels.pointee.depth_errors
  var total = ck_depth_errors()
  prediction.withUnsafeBufferPointer { prediction in
    truth.withUnsafeBufferPointer { truth in
      guard let p = prediction.baseAddress, let y = truth.baseAddress else { return }
      for row in region.rows {
        let start = row * width + region.columns.lowerBound
        kernel(
          region.columns.count, p + start, y + start, region.nearest, region.farthest, &total)
      }
    }
  }
  var sums = DepthErrorSums()
  sums.count = Int(total.count)
  (sums.relative, sums.squared) = (total.relative, total.squared)
  (sums.log, sums.absoluteLog, sums.squaredLog) = (
    total.log, total.absolute_log, total.squared_log
  )
  (sums.within1, sums.within2, sums.within3) = (
    Int(total.within.0), Int(total.within.1), Int(total.within.2)
  )
  return sums
}

/// - Precondition: both maps have `width` columns and as many rows, and hold the region.
func check(_ prediction: [Double], _ truth: [Float], _ width: Int, _ region: DepthRegion) {
  precondition(
    prediction.count == truth.count,
    "\(prediction.count) depths, expected the truth's \(truth.count)")
  precondition(region.nearest >= 0, "nearest depth \(region.nearest), expected at least 0")
  precondition(
    width > 0 && region.rows.lowerBound >= 0 && region.columns.lowerBound >= 0
      && region.columns.upperBound <= width && region.rows.upperBound * width <= truth.count,
    "rows \(region.rows) and columns \(region.columns) of \(truth.count) depths \(width) wide")
}
