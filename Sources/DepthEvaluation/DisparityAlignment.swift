import DepthImages

/// Disparity fitted to the true one by a factor and a shift: what a network of relative depth leaves open.
///
///     depth = 1 / max(scale · d + shift, 1 / farthest)
///
/// with the scale and shift that make Σ (scale · d + shift − 1 / y)² least over the pixels that count, d the
/// predicted disparity and y the truth. The lower bound keeps depth finite where the line falls to 0.
///
/// > Source: R. Ranftl et al. “Towards Robust Monocular Depth Estimation: Mixing Datasets for Zero-shot
/// > Cross-dataset Transfer.” TPAMI 2022, [arXiv:1907.01341](https://arxiv.org/abs/1907.01341), section 5
/// > and equation 4; the bound is that of the authors' evaluation.
package struct DisparityAlignment: Sendable, Equatable {
  package let scale, shift: Double
  /// Largest aligned depth, metres.
  package let farthest: Double

  /// Largest aligned depths, metres: of frames without a farther truth, and of all others. The published
  /// evaluation has 10 m for NYU and TUM, and 80 m for KITTI.
  private static let limits = (indoors: 10.0, outdoors: 80.0)

  package init(_ line: LeastSquaresLine, farthestTruth: Double) {
    (scale, shift) = (line.slope, line.intercept)
    farthest = farthestTruth <= Self.limits.indoors ? Self.limits.indoors : Self.limits.outdoors
  }

  /// Metres of a predicted disparity.
  package func depth(of disparity: Double) -> Double {
    1 / max(scale * disparity + shift, 1 / farthest)
  }
}

/// The line y ≈ slope · x + intercept with the least sum of squared errors, pair by pair.
///
/// Means and second moments are updated with each pair, so that values far from 0 lose no digits.
///
/// > Source: B. P. Welford. “Note on a Method for Calculating Corrected Sums of Squares and Products.”
/// > Technometrics 4 (3), 1962.
package struct LeastSquaresLine: Sendable {
  package private(set) var count = 0.0
  private var meanX = 0.0
  private var meanY = 0.0
  /// Σ (x − mean x)² and Σ (x − mean x) (y − mean y).
  private var squares = 0.0
  private var products = 0.0

  package init() {}

  package mutating func add(_ x: Double, _ y: Double) {
    count += 1
    let before = x - meanX
    meanX += before / count
    meanY += (y - meanY) / count
    squares += before * (x - meanX)
    products += before * (y - meanY)
  }

  /// 0 where all x are the same, of which no slope follows.
  package var slope: Double { squares > 0 ? products / squares : 0 }

  package var intercept: Double { meanY - slope * meanX }
}
