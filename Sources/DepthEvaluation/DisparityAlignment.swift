import DepthImages

/// A fit of disparity to the true disparity, by the scale and shift that a network of relative depth leaves
/// undetermined.
///
///     depth = 1 / max(scale · d + shift, 1 / farthest)
///
/// The scale and shift minimize Σ (scale · d + shift − 1 / y)² over the pixels that count, where d is the
/// predicted disparity and y the truth. The lower bound keeps depth finite where the line reaches 0.
///
/// > Source: R. Ranftl et al. “Towards Robust Monocular Depth Estimation: Mixing Datasets for Zero-shot
/// > Cross-dataset Transfer.” TPAMI 2022, [arXiv:1907.01341](https://arxiv.org/abs/1907.01341), section 5
/// > and equation 4; the bound is from the authors' evaluation.
package struct DisparityAlignment: Sendable, Equatable {
  package let scale, shift: Double
  /// Largest aligned depth, metres.
  package let farthest: Double

  /// Largest aligned depths in metres: `indoors` for frames without a farther truth, `outdoors` for other
  /// frames. The published evaluation has 10 m for NYU and TUM, and 80 m for KITTI.
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

/// The least-squares line y ≈ slope · x + intercept, updated pair by pair.
///
/// Means and second moments are updated with each pair, so that no precision is lost for values far from 0.
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

  /// The slope; 0 if all x are equal.
  package var slope: Double { squares > 0 ? products / squares : 0 }

  package var intercept: Double { meanY - slope * meanX }
}
