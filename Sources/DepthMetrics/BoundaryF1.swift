public import Tensors

extension DepthMap {
  /// How well the depth edges of this map fall on those of the truth, 0…1, whatever its scale.
  ///
  /// A pair of neighbours is an edge at threshold `t` when one is more than `t` times as far as the
  /// other. Precision and recall of such pairs, averaged over the four directions, give an F1 for each
  /// of ten thresholds from 1.05 to 1.25; the result is their mean weighted by the threshold. An edge
  /// one pixel off its place counts as missed and as false.
  ///
  /// Pairs in which either map has no value are left out.
  ///
  /// - Parameter truth: A map of the same size.
  /// - Precondition: both maps are in metres or disparity.
  ///
  /// > Source: A. Bochkovskii et al. “Depth Pro: Sharp Monocular Metric Depth in Less Than a Second.”
  /// > [arXiv:2410.02073](https://arxiv.org/abs/2410.02073), section 3.3.
  public func boundaryF1(against truth: DepthMap) -> Double {
    precondition(
      (height, width) == (truth.height, truth.width),
      "map is \(width)×\(height), expected the truth's \(truth.width)×\(truth.height)")
    let (mine, theirs) = (inMetres, truth.inMetres)
    let across = mine.steps(1, rows: height, columns: width - 1, beside: theirs)
    let down = mine.steps(width, rows: height - 1, columns: width, beside: theirs)

    var (sum, weights) = (0.0, 0.0)
    for k in 0..<10 {
      let threshold = 1.05 + 0.2 * Double(k) / 9
      // Farther towards the right, towards the left, downwards, upwards.
      let counts = [across, down].flatMap { steps in
        [EdgeCounts(steps, over: threshold), EdgeCounts(steps.map(\.reversed), over: threshold)]
      }
      let recall = counts.reduce(0) { $0 + $1.recall } / 4
      let precision = counts.reduce(0) { $0 + $1.precision } / 4
      if recall + precision > 0 {
        sum += threshold * 2 * recall * precision / (recall + precision)
      }
      weights += threshold
    }
    return sum / weights
  }

  /// Ratios of neighbours `stride` apart, in this map and in `truth`, where all four have values.
  private func steps(_ stride: Int, rows: Int, columns: Int, beside truth: DepthMap) -> [Step] {
    var steps: [Step] = []
    steps.reserveCapacity(max(0, rows * columns))
    for y in 0..<rows {
      for x in 0..<max(0, columns) {
        let (p, q) = (y * width + x, y * width + x + stride)
        guard isValid(values[p]), isValid(values[q]), truth.isValid(truth.values[p]),
          truth.isValid(truth.values[q])
        else { continue }
        steps.append(
          Step(
            found: Double(values[q]) / Double(values[p]),
            wanted: Double(truth.values[q]) / Double(truth.values[p])))
      }
    }
    return steps
  }
}

/// How many times as far the second of two neighbours is.
private struct Step {
  let found, wanted: Double

  var reversed: Step { Step(found: 1 / found, wanted: 1 / wanted) }
}

/// Edges at one threshold in one direction.
private struct EdgeCounts {
  var found = 0
  var wanted = 0
  var both = 0

  init(_ steps: [Step], over threshold: Double) {
    for step in steps {
      let (isFound, isWanted) = (step.found > threshold, step.wanted > threshold)
      found += isFound ? 1 : 0
      wanted += isWanted ? 1 : 0
      both += isFound && isWanted ? 1 : 0
    }
  }

  var recall: Double { Double(both) / Double(max(wanted, 1)) }
  var precision: Double { Double(both) / Double(max(found, 1)) }
}
