import CKernels

/// How many depth edges a predicted map and the truth have, and share, at ten thresholds.
///
/// Two neighbours are an edge at threshold `t` when one is more than `t` times as far as the other.
/// The four directions, in this order: the right neighbour is farther, the left one, the lower one,
/// the upper one.
package struct BoundaryCounts: Sendable, Equatable {
  /// Ten thresholds in equal steps from 1.05 to 1.25.
  package static let thresholds = (0..<10).map { 1.05 + 0.2 * Double($0) / 9 }

  /// Edges of the prediction, of the truth, and of both in one place: `direction · 10 + threshold`.
  package private(set) var found = [Int](repeating: 0, count: 40)
  package private(set) var wanted = [Int](repeating: 0, count: 40)
  package private(set) var shared = [Int](repeating: 0, count: 40)

  package init() {}

  /// Counts one pair of neighbours by how many thresholds each map's ratio exceeds, 0…10.
  fileprivate mutating func add(direction: Int, found a: Int, wanted b: Int) {
    // Kept where the highest exceeded threshold stands; `finish` sums towards the lower ones.
    if a > 0 { found[direction * 10 + a - 1] += 1 }
    if b > 0 { wanted[direction * 10 + b - 1] += 1 }
    if min(a, b) > 0 { shared[direction * 10 + min(a, b) - 1] += 1 }
  }

  fileprivate mutating func finish() {
    for last in stride(from: 9, to: 40, by: 10) {
      for i in stride(from: last - 1, to: last - 10, by: -1) {
        found[i] += found[i + 1]
        wanted[i] += wanted[i + 1]
        shared[i] += shared[i + 1]
      }
    }
  }
}

/// Counts the edges of two maps in a region.
///
/// Pairs of which the truth of either pixel does not count are left out.
///
/// - Parameters: As of ``depthErrorSums(_:truth:width:in:)``.
/// - Complexity: Eight comparisons a pixel, and two divisions at an edge.
package func boundaryCounts(
  _ prediction: [Double], truth: [Float], width: Int, in region: DepthRegion,
  isa: InstructionSet = .current
) -> BoundaryCounts {
  check(prediction, truth, width, region)
  let kernel = isa.kernels.pointee.edge_candidates
  var counts = BoundaryCounts()
  var places = [UInt32](repeating: 0, count: region.columns.count)
  prediction.withUnsafeBufferPointer { prediction in
    truth.withUnsafeBufferPointer { truth in
      guard let p = prediction.baseAddress, let y = truth.baseAddress else { return }
      for row in region.rows {
        let start = row * width + region.columns.lowerBound
        let isLast = row + 1 == region.rows.upperBound
        // The right neighbour of all pixels but the last, and the lower neighbour of all.
        for (direction, distance, pairs) in [
          (0, 1, max(region.columns.count - 1, 0)), (2, width, isLast ? 0 : region.columns.count),
        ] {
          let found = kernel(
            pairs, p + start, p + start + distance, y + start, y + start + distance,
            leastRatio, &places)
          for place in places.prefix(found) {
            let i = start + Int(place)
            count(i, i + distance, direction, prediction, truth, region, &counts)
          }
        }
      }
    }
  }
  counts.finish()
  return counts
}

/// A little less than the lowest threshold, since products are rounded.
private let leastRatio: Float = 1.0499

/// Counts the pair of pixels `i` and `j`.
@inline(__always)
private func count(
  _ i: Int, _ j: Int, _ direction: Int, _ prediction: UnsafeBufferPointer<Double>,
  _ truth: UnsafeBufferPointer<Float>, _ region: DepthRegion, _ counts: inout BoundaryCounts
) {
  guard region.isMeasured(truth[i]), region.isMeasured(truth[j]) else { return }
  let found = prediction[j] / prediction[i]
  let wanted = Double(truth[j]) / Double(truth[i])
  counts.add(direction: direction, found: level(found), wanted: level(wanted))
  counts.add(direction: direction + 1, found: level(1 / found), wanted: level(1 / wanted))
}

/// How many thresholds `ratio` exceeds.
private func level(_ ratio: Double) -> Int {
  guard ratio > 1.05 else { return 0 }
  func exceeds(_ threshold: Int) -> Bool { ratio > 1.05 + 0.2 * Double(threshold) / 9 }
  // The thresholds are 1/45 apart; rounding may put the guess one too high or too low.
  var level = Int(min((ratio - 1.05) * 45, 9)) + 1
  if !exceeds(level - 1) { level -= 1 } else if level < 10, exceeds(level) { level += 1 }
  return level
}
