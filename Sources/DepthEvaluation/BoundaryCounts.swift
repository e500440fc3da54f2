/// The numbers of depth edges in a predicted map, in the truth and in both, at ten thresholds.
///
/// Two neighbors are an edge at threshold `t` if one neighbor is more than `t` times as far as the other.
/// There are four directions, in this order: the right, left, lower or upper neighbor is farther.
package struct BoundaryCounts: Sendable, Equatable {
  /// Ten thresholds in equal steps from 1.05 to 1.25.
  package static let thresholds = (0..<10).map { 1.05 + 0.2 * Double($0) / 9 }

  /// Edges of the prediction, of the truth, and of both at one place, in the order
  /// `direction · 10 + threshold`.
  package private(set) var found = [Int](repeating: 0, count: 40)
  package private(set) var wanted = [Int](repeating: 0, count: 40)
  package private(set) var shared = [Int](repeating: 0, count: 40)

  package init() {}

  /// Neighbors with a lower ratio are no edge at any threshold, even after rounding of products.
  static let leastRatio: Float = 1.0499

  /// Counts a pair of neighbors in a direction and its opposite.
  ///
  /// - Parameters:
  ///   - direction: 0 or 2, an index of the four directions.
  ///   - found: The second depth divided by the first, in the prediction.
  ///   - wanted: The second depth divided by the first, in the truth.
  mutating func add(direction: Int, found: Double, wanted: Double) {
    add(direction: direction, found: level(found), wanted: level(wanted))
    add(direction: direction + 1, found: level(1 / found), wanted: level(1 / wanted))
  }

  /// Counts one pair of neighbors by the number of thresholds that each map's ratio exceeds, 0…10.
  private mutating func add(direction: Int, found a: Int, wanted b: Int) {
    // The edge is counted at the highest exceeded threshold; `summed` adds the counts to lower
    // thresholds.
    if a > 0 { found[direction * 10 + a - 1] += 1 }
    if b > 0 { wanted[direction * 10 + b - 1] += 1 }
    if min(a, b) > 0 { shared[direction * 10 + min(a, b) - 1] += 1 }
  }

  /// The counts after all pairs. A ratio above a threshold also exceeds the lower thresholds.
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

/// The number of thresholds that `ratio` exceeds.
private func level(_ ratio: Double) -> Int {
  guard ratio > 1.05 else { return 0 }
  func exceeds(_ threshold: Int) -> Bool { ratio > 1.05 + 0.2 * Double(threshold) / 9 }
  // The thresholds are 1/45 apart. Rounding may shift the estimate by one.
  var level = Int(min((ratio - 1.05) * 45, 9)) + 1
  if !exceeds(level - 1) { level -= 1 } else if level < 10, exceeds(level) { level += 1 }
  return level
}
