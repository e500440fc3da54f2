import Foundation

/// The nine measures by their definitions in 64 bits.
struct ReferenceMetrics {
  var rel = 0.0
  var rms = 0.0
  var log10 = 0.0
  var rmsLog = 0.0
  var delta = [0.0, 0.0, 0.0]
  var siLog = 0.0

  /// - Parameters:
  ///   - prediction: Positive depths.
  ///   - truth: True depths, one for each prediction.
  init(_ prediction: [Double], _ truth: [Double]) {
    let n = Double(truth.count)
    let pairs = Array(zip(prediction, truth))
    rel = pairs.map { abs($0 - $1) / $1 }.reduce(0, +) / n
    rms = sqrt(pairs.map { ($0 - $1) * ($0 - $1) }.reduce(0, +) / n)
    log10 = pairs.map { abs(Foundation.log10($0) - Foundation.log10($1)) }.reduce(0, +) / n
    let d = pairs.map { log($0) - log($1) }
    rmsLog = sqrt(d.map { $0 * $0 }.reduce(0, +) / n)
    let mean = d.reduce(0, +) / n
    siLog = 100 * sqrt(d.map { ($0 - mean) * ($0 - mean) }.reduce(0, +) / n)
    delta = [1.25, 1.5625, 1.953125].map { limit in
      Double(pairs.count { max($0 / $1, $1 / $0) < limit }) / n
    }
  }

  var all: [Double] { [rel, rms, log10, rmsLog] + delta + [siLog] }

  /// Boundary F1 by four lists of edges for each threshold.
  static func boundaryF1(
    _ prediction: [Double], _ truth: [Double?], height: Int, width: Int
  ) -> Double {
    var (sum, weights) = (0.0, 0.0)
    for k in 0..<10 {
      let t = 1.05 + (1.25 - 1.05) / 9 * Double(k)
      var (precision, recall) = (0.0, 0.0)
      for (dy, dx) in [(0, 1), (0, -1), (1, 0), (-1, 0)] {
        var (found, wanted, both) = (0, 0, 0)
        for y in 0..<height {
          for x in 0..<width {
            let (v, u) = (y + dy, x + dx)
            guard (0..<height).contains(v), (0..<width).contains(u),
              let near = truth[y * width + x], let far = truth[v * width + u]
            else { continue }
            let isFound = prediction[v * width + u] / prediction[y * width + x] > t
            let isWanted = far / near > t
            found += isFound ? 1 : 0
            wanted += isWanted ? 1 : 0
            both += isFound && isWanted ? 1 : 0
          }
        }
        precision += Double(both) / Double(max(found, 1)) / 4
        recall += Double(both) / Double(max(wanted, 1)) / 4
      }
      if precision + recall > 0 { sum += t * 2 * precision * recall / (precision + recall) }
      weights += t
    }
    return sum / weights
  }
}
