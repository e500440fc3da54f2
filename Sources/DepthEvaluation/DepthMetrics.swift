/// The errors of predicted depth, in the field's measures.
///
/// With y the truth, ŷ the prediction and N pixels:
///
///     rel     = 1/N Σ |y − ŷ| / y               rms     = √(1/N Σ (y − ŷ)²)            metres
///     log10   = 1/N Σ |log₁₀ y − log₁₀ ŷ|       rms_log = √(1/N Σ (ln y − ln ŷ)²)
///     δₖ      = share of pixels with max(y/ŷ, ŷ/y) < 1.25ᵏ
///     SILog   = 100 √(1/N Σ d² − (1/N Σ d)²),   d = ln ŷ − ln y
///
/// SILog and boundary F1 are defined for single frames. Every protocol averages them over frames.
///
/// > Source: D. Eigen et al. “Depth Map Prediction from a Single Image using a Multi-Scale Deep
/// > Network.” NIPS 2014, section 3.2 for the scale-invariant error; A. Bochkovskii et al. “Depth Pro.”
/// > [arXiv:2410.02073](https://arxiv.org/abs/2410.02073), section 3.3 for boundary F1.
///
/// The JSON object of the metrics has the keys of the tables, ``named``.
package struct DepthMetrics: Sendable, Equatable, Codable {
  private enum CodingKeys: String, CodingKey {
    case rel, rms, log10
    case rmsLog = "rms_log"
    case delta1, delta2, delta3
    case siLog = "silog"
    case boundaryF1 = "boundary_f1"
  }

  package var rel = 0.0
  package var rms = 0.0
  package var log10 = 0.0
  package var rmsLog = 0.0
  package var delta1 = 0.0
  package var delta2 = 0.0
  package var delta3 = 0.0
  package var siLog = 0.0
  package var boundaryF1 = 0.0

  /// The measures by name, in the order of every table.
  private static let measures:
    [(name: String, path: any WritableKeyPath<DepthMetrics, Double> & Sendable)] = [
      ("rel", \.rel), ("rms", \.rms), ("log10", \.log10), ("rms_log", \.rmsLog),
      ("delta1", \.delta1), ("delta2", \.delta2), ("delta3", \.delta3), ("silog", \.siLog),
      ("boundary_f1", \.boundaryF1),
    ]

  /// Names and values in the order of every table.
  package var named: [(name: String, value: Double)] {
    Self.measures.map { ($0.name, self[keyPath: $0.path]) }
  }

  /// The metrics of one frame.
  ///
  /// - Precondition: at least one pixel counts.
  package init(_ frame: FrameErrors) { self.init(pooling: [frame]) }

  /// Pools the errors over all pixels of all frames.
  ///
  /// - Precondition: at least one pixel counts in every frame.
  package init(pooling frames: [FrameErrors]) {
    let sums = frames.reduce(into: DepthErrorSums()) { $0 += $1.sums }
    precondition(sums.count > 0, "no pixel with a true depth, expected at least one")
    let count = Double(sums.count)
    rel = sums.relative / count
    rms = (sums.squared / count).squareRoot()
    log10 = sums.absoluteLog / count / 2.302585092994046  // ln 10
    rmsLog = (sums.squaredLog / count).squareRoot()
    delta1 = Double(sums.within1) / count
    delta2 = Double(sums.within2) / count
    delta3 = Double(sums.within3) / count
    siLog = frames.map(\.siLog).mean
    boundaryF1 = frames.map(\.boundaryF1).mean
  }

  /// Averages each frame's metrics over the frames.
  package init(averaging frames: [FrameErrors]) {
    let each = frames.map { DepthMetrics($0) }
    for (_, path) in Self.measures { self[keyPath: path] = each.map { $0[keyPath: path] }.mean }
  }
}

/// The errors of one predicted map under one protocol.
package struct FrameErrors: Sendable, Equatable {
  package var sums: DepthErrorSums
  package var boundaryF1: Double
  /// Number of pixels of the whole map with a prediction of 0 or less, infinite or NaN. These predictions were
  /// set to the smallest depth.
  package var clamped = 0
  /// Number of pixels in the protocol's region whose truth does not count.
  package var holes = 0

  /// Number of pixels that count.
  package var pixels: Int { sums.count }

  /// 100 √(variance of ln ŷ − ln y).
  package var siLog: Double {
    let count = Double(sums.count)
    let mean = sums.log / count
    return 100 * max(sums.squaredLog / count - mean * mean, 0).squareRoot()
  }
}

extension BoundaryCounts {
  /// Mean F1 over the thresholds, weighted by the threshold. At each threshold, F1 follows from the precision and the
  /// recall, each averaged over the four directions. As in the authors' code, a direction without edges counts as 0.
  package var f1: Double {
    var (sum, weights) = (0.0, 0.0)
    for (k, threshold) in Self.thresholds.enumerated() {
      let places = [k, 10 + k, 20 + k, 30 + k]
      func share(of counts: [Int]) -> Double {
        places.reduce(0) { $0 + Double(shared[$1]) / Double(max(counts[$1], 1)) } / 4
      }
      let (recall, precision) = (share(of: wanted), share(of: found))
      if recall + precision > 0 {
        sum += threshold * 2 * recall * precision / (recall + precision)
      }
      weights += threshold
    }
    return sum / weights
  }
}

extension [Double] {
  var mean: Double { reduce(0, +) / Double(Swift.max(count, 1)) }
}

extension [Double?] {
  /// `nil` if an element is `nil`.
  var mean: Double? { contains(nil) ? nil : compactMap { $0 }.mean }
}
