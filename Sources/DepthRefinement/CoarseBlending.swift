import CDepthSIMD
package import SIMDKernels
import ThreadTeams

/// Between which levels a fine map is to lie: of two coarse maps, the lowest and the highest value nearby.
package struct LevelRange: Sendable {
  let lowest, highest: WeightedMap

  /// - Parameter map: The smallest and largest value within `reach` pixels of it.
  package init(of map: WeightedMap, within reach: Int, threads: Int) {
    (lowest, highest) = map.extrema(within: reach, threads: threads)
  }
}

/// Replaces each number `j` of a fine map by `s + e·(j − s)`, with `s` and `e` from two coarse maps stretched
/// linearly; NaN stays NaN until `finish`.
///
/// With a range, `j` is first moved towards the nearer end of it, which steepens edges: at a share `u` of the way
/// from the lowest to the highest level it comes to `u⁴ / (u⁴ + (1 − u)⁴)` of it.
///
/// - Parameters:
///   - joint: `height × width` numbers, NaN for no value; mixed in place.
///   - smooth: `h × w` values with weights: `s`.
///   - shares: `e`, `h × w` values, all of weight 1.
///   - range: The two levels of an edge; `nil` leaves edges as they are.
///   - finish: What becomes of the result.
///   - threads: The bits do not depend on it.
///
/// > Source: Moving values to the nearer extreme is a soft form of the filter of H. P. Kramer and J. B. Bruckner,
/// > “Iterations of a Non-Linear Transformation for Enhancement of Digital Images.” Pattern Recognition 7, 1975.
package func blend(
  _ joint: inout [Float], height: Int, width: Int, with smooth: WeightedMap, shares: WeightedMap,
  range: LevelRange? = nil, finish: MixedNumber, isa: InstructionSet = .current, threads: Int
) {
  precondition(
    joint.count == height * width, "\(joint.count) numbers, expected \(height * width)")
  let kernels = isa.kernels.pointee
  let smooth = StretchedMap(smooth, height: height, width: width, threads: threads)
  // Shares weigh 1, and both levels weigh the same.
  let stretch = LinearStretch(from: shares, height: height, width: width)
  let shares = StretchedPlane(shares.values, by: stretch, threads: threads)
  let levels = range.map { StretchedRange($0, height: height, width: width, threads: threads) }
  joint.withUnsafeMutableBufferPointer { buffer in
    guard let start = buffer.baseAddress else { return }
    // Each chunk writes only the rows it was given.
    nonisolated(unsafe) let joint = start
    parallelFor(height, grain: 16, threads: threads) { rows in
      let pitch = width + widestLanes
      withScratch(6 * pitch) { scratch in
        let (sum, norm) = (scratch, scratch + pitch)
        let (share, weight) = (scratch + 2 * pitch, scratch + 3 * pitch)
        let (low, high) = (scratch + 4 * pitch, scratch + 5 * pitch)
        for y in rows {
          let row = joint + y * width
          if let levels {
            levels.fill(row: y, kernels, lowest: low, highest: high, weight: weight)
            steepen(row, lowest: low, highest: high, weights: weight, count: width)
          }
          smooth.fill(row: y, masked: false, kernels, value: sum, weight: norm)
          shares.fill(row: y, kernels, into: share)
          for x in 0..<width {
            let level = sum[x] / max(norm[x], .leastNormalMagnitude)
            row[x] = level + share[x] * (row[x] - level)
          }
          finish.apply(to: row, count: width)
        }
      }
    }
  }
}

/// The two levels of a range at the width of a finer grid, both times their common weight.
private struct StretchedRange: Sendable {
  let lowest, highest, weights: StretchedPlane

  init(_ range: LevelRange, height: Int, width: Int, threads: Int) {
    let stretch = LinearStretch(from: range.lowest, height: height, width: width)
    func plane(_ numbers: [Float]) -> StretchedPlane {
      StretchedPlane(numbers, by: stretch, threads: threads)
    }
    (lowest, highest) = (plane(range.lowest.products), plane(range.highest.products))
    weights = plane(range.lowest.weights)
  }

  func fill(
    row y: Int, _ kernels: ck_kernels, lowest low: UnsafeMutablePointer<Float>,
    highest high: UnsafeMutablePointer<Float>, weight: UnsafeMutablePointer<Float>
  ) {
    lowest.fill(row: y, kernels, into: low)
    highest.fill(row: y, kernels, into: high)
    weights.fill(row: y, kernels, into: weight)
  }
}

/// Moves each number towards the nearer of two levels, given times a weight; see `blend`.
private func steepen(
  _ row: UnsafeMutablePointer<Float>, lowest: UnsafePointer<Float>, highest: UnsafePointer<Float>,
  weights: UnsafePointer<Float>, count: Int
) {
  for x in 0..<count {
    let scale = 1 / max(weights[x], .leastNormalMagnitude)
    let (low, high) = (lowest[x] * scale, highest[x] * scale)
    let span = high - low
    let place = (row[x] - low) / max(span, .leastNormalMagnitude)
    // NaN is neither below 0 nor above 1 and stays NaN.
    let share = place < 0 ? 0 : place > 1 ? 1 : place
    let (up, down) = (share * share, (1 - share) * (1 - share))
    row[x] = low + span * (up * up / (up * up + down * down))
  }
}

/// What becomes of mixed numbers.
package enum MixedNumber: Sendable, Equatable {
  /// They stay as they are.
  case same
  /// NaN becomes `missing`.
  case value(missing: Float)
  /// 1 / number; NaN becomes `missing`.
  case reciprocal(missing: Float)

  func apply(to row: UnsafeMutablePointer<Float>, count: Int) {
    switch self {
    case .same: return
    case .value(let missing):
      for x in 0..<count { row[x] = row[x].isNaN ? missing : row[x] }
    case .reciprocal(let missing):
      for x in 0..<count { row[x] = row[x].isNaN ? missing : 1 / row[x] }
    }
  }
}
