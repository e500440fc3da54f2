package import SIMDKernels
import ThreadTeams

/// Replaces each number `j` of a fine map by `s + e·(j − s)`, with `s` and `e` from two coarse maps stretched
/// linearly; NaN stays NaN until `finish`.
///
/// - Parameters:
///   - joint: `height × width` numbers, NaN for no value; mixed in place.
///   - smooth: `h × w` values with weights: `s`.
///   - shares: `e`, `h × w` values that all count alike.
///   - finish: What becomes of the result.
///   - threads: The bits do not depend on it.
package func blend(
  _ joint: inout [Float], height: Int, width: Int, with smooth: WeightedMap, shares: WeightedMap,
  finish: MixedNumber, isa: InstructionSet = .current, threads: Int
) {
  precondition(
    joint.count == height * width, "\(joint.count) numbers, expected \(height * width)")
  let kernels = isa.kernels.pointee
  let smooth = StretchedMap(smooth, height: height, width: width)
  let shares = StretchedMap(shares, height: height, width: width)
  joint.withUnsafeMutableBufferPointer { buffer in
    guard let start = buffer.baseAddress else { return }
    // Each chunk writes the rows it was given and no others.
    nonisolated(unsafe) let joint = start
    parallelFor(height, grain: 16, threads: threads) { rows in
      let pitch = width + widestLanes
      withScratch(4 * pitch) { scratch in
        let (sum, norm) = (scratch, scratch + pitch)
        let (share, one) = (scratch + 2 * pitch, scratch + 3 * pitch)
        for y in rows {
          smooth.fill(row: y, masked: false, kernels, value: sum, weight: norm)
          shares.fill(row: y, masked: false, kernels, value: share, weight: one)
          let row = joint + y * width
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
