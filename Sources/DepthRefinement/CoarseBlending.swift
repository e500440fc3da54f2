package import DepthBase

/// The levels on both sides of edges: the lowest and highest value near each pixel of a coarse map.
package struct LevelRange: Sendable {
  /// The difference of levels at which numbers move half of the way to a level, as a share of the higher level or of 1.
  static let leastStep: Float = 0.13

  let lowest, highest: WeightedMap
  /// Whether differences are shares of the higher level instead of shares of 1.
  let relative: Bool

  /// - Parameters:
  ///   - map: The map whose smallest and largest values within `reach` pixels are the levels.
  ///   - relative: Whether values are disparities instead of shares of 0…1.
  package init(of map: WeightedMap, within reach: Int, relative: Bool, threads: Int) {
    (lowest, highest) = map.extrema(within: reach, threads: threads)
    self.relative = relative
  }
}

/// Replaces each number `j` of a fine map by `s + e·(j − s)`, where `s` and `e` are from two linearly stretched coarse
/// maps. NaN stays NaN until `finish`.
///
/// First, `j` moves towards the nearer of two levels, which steepens edges: a share `u` between the levels becomes
/// `u⁴ / (u⁴ + (1 − u)⁴)`. So that surfaces do not become steps, `j` moves only `x⁸ / (1 + x⁸)` of the way, where `x` is
/// the difference of the levels divided by ``LevelRange/leastStep``. A `j` beyond both levels is itself a level.
///
/// - Parameters:
///   - joint: `height × width` numbers, NaN for no value; modified in place.
///   - smooth: Values `s`, `h × w` with weights.
///   - shares: The values `e`, `h × w`, all with weight 1.
///   - range: The two levels of an edge.
///   - finish: The conversion of the result.
///   - threads: Number of threads, which does not affect the result.
///
/// > Source: Moving values to the nearer extreme is a soft form of the filter of H. P. Kramer and J. B. Bruckner,
/// > “Iterations of a Non-Linear Transformation for Enhancement of Digital Images.” Pattern Recognition 7, 1975.
package func blend(
  _ joint: inout [Float], height: Int, width: Int, with smooth: WeightedMap, shares: WeightedMap,
  range: LevelRange, finish: MixedNumber, isa: InstructionSet = .current, threads: Int
) {
  precondition(
    joint.count == height * width, "\(joint.count) numbers, expected \(height * width)")
  let kernels = RefinementKernels(isa)
  let smooth = StretchedMap(smooth, height: height, width: width, threads: threads)
  // All shares have weight 1, and the weights of both levels are equal.
  let stretch = LinearStretch(from: shares, height: height, width: width)
  let shares = StretchedPlane(shares.values, by: stretch, threads: threads)
  let levels = StretchedRange(range, height: height, width: width, threads: threads)
  updateRows(of: &joint, width: width, grain: 16, threads: threads) { rows, out in
    var sum = [Float](repeating: 0, count: width)
    var norm = sum
    var share = sum
    var scratch = RangeRows(levels, width: width)
    out.forEachRow(rows, width: width) { y, row in
      scratch.steepen(&row, at: y, kernels)
      var sum = sum.mutableSpan
      var norm = norm.mutableSpan
      var share = share.mutableSpan
      smooth.fillValues(row: y, masked: false, kernels, into: &sum)
      smooth.fillWeights(row: y, masked: false, kernels, into: &norm)
      shares.fill(row: y, kernels, into: &share)
      precondition(
        row.count == width && sum.count == width && norm.count == width && share.count == width)
      for x in 0..<width {
        let level = sum[x] / max(norm[x], .leastNormalMagnitude)
        row[x] = level + share[x] * (row[x] - level)
      }
      finish.apply(to: &row)
    }
  }
}

/// The two levels at the width of a finer grid, multiplied by their common weight.
private struct StretchedRange: Sendable {
  let lowest, highest, weights: StretchedPlane
  let relative: Bool

  init(_ range: LevelRange, height: Int, width: Int, threads: Int) {
    let stretch = LinearStretch(from: range.lowest, height: height, width: width)
    func plane(_ numbers: [Float]) -> StretchedPlane {
      StretchedPlane(numbers, by: stretch, threads: threads)
    }
    (lowest, highest) = (plane(range.lowest.products), plane(range.highest.products))
    weights = plane(range.lowest.weights)
    relative = range.relative
  }
}

/// Buffers for one row of a range.
private struct RangeRows {
  private let range: StretchedRange
  private var lowest, highest, weights: [Float]

  init(_ range: StretchedRange, width: Int) {
    self.range = range
    lowest = [Float](repeating: 0, count: width)
    (highest, weights) = (lowest, lowest)
  }

  /// Moves each number of fine row `y` towards the nearer of two levels; see `blend`.
  mutating func steepen(
    _ row: inout MutableSpan<Float>, at y: Int, _ kernels: RefinementKernels
  ) {
    range.lowest.fill(row: y, kernels, into: &lowest)
    range.highest.fill(row: y, kernels, into: &highest)
    range.weights.fill(row: y, kernels, into: &weights)
    let (lowest, highest, weights) = (lowest.span, highest.span, weights.span)
    let (count, relative) = (row.count, range.relative)
    precondition(lowest.count == count && highest.count == count && weights.count == count)
    for x in 0..<count {
      let scale = 1 / max(weights[x], .leastNormalMagnitude)
      // A number beyond both levels is itself a level. NaN is not beyond a level and stays NaN.
      let value = row[x]
      let (nearLow, nearHigh) = (lowest[x] * scale, highest[x] * scale)
      let low = value < nearLow ? value : nearLow
      let high = value > nearHigh ? value : nearHigh
      let span = high - low
      let share = (value - low) / max(span, .leastNormalMagnitude)
      let (up, down) = (share * share, (1 - share) * (1 - share))
      let steep = low + span * (up * up / (up * up + down * down))
      let step = (relative ? span / max(high, .leastNormalMagnitude) : span) / LevelRange.leastStep
      // If the levels are equal, the inverse is infinite and no number moves.
      let squared = step * step
      let inverse = 1 / (squared * squared * squared * squared)
      let moved = value + (steep - value) / (1 + inverse)
      row[x] = span.isFinite ? moved : value
    }
  }
}

/// The conversion of mixed numbers.
package enum MixedNumber: Sendable {
  /// No conversion.
  case same
  /// NaN becomes `missing`.
  case value(missing: Float)
  /// Reciprocal of the number; NaN becomes `missing`.
  case reciprocal(missing: Float)

  func apply(to row: inout MutableSpan<Float>) {
    switch self {
    case .same: return
    case .value(let missing):
      for x in 0..<row.count { row[x] = row[x].isNaN ? missing : row[x] }
    case .reciprocal(let missing):
      for x in 0..<row.count { row[x] = row[x].isNaN ? missing : 1 / row[x] }
    }
  }
}
