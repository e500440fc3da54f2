import Foundation

/// How good a refined map is at edges, and how flat on surfaces that are flat in truth and textured in the photo.
///
/// Flat textured patches are those of ``TruthFrame``. On them, the fine part of a map is what a Gaussian of four
/// pixels takes from its disparity, as a share of it.
struct RefinementScores {
  /// Mean share of the truth, root mean square in metres, share within 1.25 of the truth.
  var rel, rms, delta1: Double
  /// Mean error in metres near true edges, and SI-F1 of Depth Pro; NaN without edges.
  var edge, boundaryF1: Double
  /// Mean square of the fine part; mean of its local correlation with the photo's; mean square of what a plane
  /// leaves of 31 × 31 pixels, as a share of the mean; NaN without patches.
  var fine, correlation, plane: Double
  /// Mean square of the fine part in pixels of parallax between the two views, each shifted by 1 % of the width to one side
  /// for the nearest pixel of the map and to the other for the farthest; NaN without patches.
  var wobble: Double

  /// - Parameter map: Metres, the size of the truth.
  init(of map: Plane, against truth: TruthFrame) {
    let found = map.map { max($0, 1e-3) }
    let known = truth.depth.values.indices.filter { truth.depth.values[$0] > 0 }
    let errors = known.map { abs(found.values[$0] - truth.depth.values[$0]) }
    func mean(_ numbers: [Double]) -> Double {
      numbers.isEmpty ? .nan : numbers.reduce(0, +) / Double(numbers.count)
    }
    rel = mean(zip(known, errors).map { $1 / truth.depth.values[$0] })
    rms = mean(errors.map { $0 * $0 }).squareRoot()
    delta1 = mean(
      known.map {
        let ratio = found.values[$0] / truth.depth.values[$0]
        return max(ratio, 1 / ratio) < 1.25 ? 1 : 0
      })
    edge = mean(zip(known, errors).filter { truth.isNearEdge[$0.0] }.map(\.1))
    boundaryF1 = RefinementScores.boundaryF1(found, truth.depth)
    (fine, correlation, plane, wobble) = (.nan, .nan, .nan, .nan)
    if truth.hasPatch { measureTexture(found, truth) }
  }

  private mutating func measureTexture(_ map: Plane, _ truth: TruthFrame) {
    let disparity = map.map { 1 / $0 }
    let (residual, level) = disparity.planeFit(radius: TruthFrame.radius)
    let detail = disparity.combined(disparity.blurred(sigma: 4), -)
    let a = detail.combined(disparity, /)
    let b = truth.luminance.combined(truth.luminance.blurred(sigma: 4), -)
    func box(_ plane: Plane) -> Plane { plane.averaged(radius: TruthFrame.radius) }
    let (meanA, meanB) = (box(a), box(b))
    let covariance = box(a.combined(b, *)).combined(meanA.combined(meanB, *), -)
    let varianceA = box(a.combined(a, *)).combined(meanA.combined(meanA, *), -)
    let varianceB = box(b.combined(b, *)).combined(meanB.combined(meanB, *), -)
    let patch = truth.isPatch.indices.filter { truth.isPatch[$0] }
    func mean(_ value: (Int) -> Double) -> Double {
      patch.reduce(0) { $0 + value($1) } / Double(patch.count)
    }
    fine = mean { a.values[$0] * a.values[$0] }
    correlation = mean {
      let variance = varianceA.values[$0] * varianceB.values[$0]
      return abs(covariance.values[$0]) / max(variance, 1e-18).squareRoot()
    }
    plane = mean {
      let share = residual.values[$0] / level.values[$0]
      return share * share
    }
    // Two views, each from −1 % to 1 % of the width over the range of disparities.
    let near = disparity.values.max() ?? 0
    let range = near - (disparity.values.min() ?? 0)
    let pixels = 0.04 * Double(map.width) / max(range, 1e-9)
    wobble = mean { detail.values[$0] * detail.values[$0] * pixels * pixels }
  }
}

extension RefinementScores {
  /// The boundary F1 of Depth Pro, invariant to scale and without thinning: of the ratios of neighbors' disparities above
  /// ten thresholds, 1.05…1.25, in four directions, weighted by the threshold.
  ///
  /// > Source: A. Bochkovskii et al. “Depth Pro.” 2024, section 3.3. [arXiv:2410.02073](https://arxiv.org/abs/2410.02073)
  static func boundaryF1(_ map: Plane, _ truth: Plane) -> Double {
    let thresholds = (0..<10).map { 1.05 + 0.2 * Double($0) / 9 }
    func bin(_ ratio: Double) -> Int { thresholds.count { ratio > $0 } }
    // For each direction how many pairs are above exactly that many thresholds.
    var (found, wanted, both) = (
      [[Double]](repeating: .init(repeating: 0, count: 11), count: 4),
      [[Double]](repeating: .init(repeating: 0, count: 11), count: 4),
      [[Double]](repeating: .init(repeating: 0, count: 11), count: 4)
    )
    let width = map.width
    for i in map.values.indices {
      for (direction, step) in [(0, 1), (2, width)] {
        guard direction == 0 ? i % width + 1 < width : i + width < map.values.count else {
          continue
        }
        let (near, far) = (truth.values[i], truth.values[i + step])
        let isKnown = near > 0 && far > 0
        for side in 0..<2 {
          let (first, second) = side == 0 ? (i, i + step) : (i + step, i)
          let mine = bin(map.values[first] / map.values[second])
          let theirs = isKnown ? bin(truth.values[first] / truth.values[second]) : 0
          found[direction + side][mine] += 1
          wanted[direction + side][theirs] += 1
          both[direction + side][min(mine, theirs)] += 1
        }
      }
    }
    var score = 0.0
    for k in 1...10 {
      func count(_ bins: [Double]) -> Double { bins[k...].reduce(0, +) }
      let recall = (0..<4).reduce(0) { $0 + count(both[$1]) / max(count(wanted[$1]), 1) / 4 }
      let precision = (0..<4).reduce(0) { $0 + count(both[$1]) / max(count(found[$1]), 1) / 4 }
      guard recall + precision > 0 else { continue }
      score += thresholds[k - 1] * 2 * recall * precision / (recall + precision)
    }
    return score / thresholds.reduce(0, +)
  }
}
