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

  /// No pair of neighbours whose ratio is lower is an edge at any threshold, however products are rounded.
  static let leastRatio: Float = 1.0499

  /// Counts a pair of neighbours in a direction and in the opposite one.
  ///
  /// - Parameters:
  ///   - direction: 0 or 2, of the four.
  ///   - found: How many times as far the second is as the first, in the prediction.
  ///   - wanted: The same in the truth.
  mutating func add(direction: Int, found: Double, wanted: Double) {
    add(direction: direction, found: level(found), wanted: level(wanted))
    add(direction: direction + 1, found: level(1 / found), wanted: level(1 / wanted))
  }

  /// Counts one pair of neighbours by how many thresholds each map's ratio exceeds, 0…10.
  private mutating func add(direction: Int, found a: Int, wanted b: Int) {
    // Counted at the highest threshold exceeded; `summed` adds towards the lower ones.
    if a > 0 { found[direction * 10 + a - 1] += 1 }
    if b > 0 { wanted[direction * 10 + b - 1] += 1 }
    if min(a, b) > 0 { shared[direction * 10 + min(a, b) - 1] += 1 }
  }

  /// After all pairs: what exceeds a threshold exceeds the lower ones too.
  var summed: BoundaryCounts {
    var sums = self
    for last in stride(from: 9, to: 40, by: 10) {
      for i in stride(from: last - 1, to: last - 10, by: -1) {
        sums.found[i] += sums.found[i + 1]
        sums.wanted[i] += sums.wanted[i + 1]
        sums.shared[i] += sums.shared[i + 1]
      }
    }
    return sums
  }
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
