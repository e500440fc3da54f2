/// Scale and shift of disparity by the normal equations in 64 bits.
enum ReferenceAlignment {
  /// - Parameters:
  ///   - prediction: Depths; 0.001 m marks a missing prediction.
  ///   - truth: True depths, one for each prediction.
  static func depths(_ prediction: [Double], _ truth: [Double]) -> [Double] {
    let pairs = zip(prediction, truth).filter { $0.0 > 0.001 }.map { (1 / $0, 1 / $1) }
    let n = Double(pairs.count)
    let x = pairs.map(\.0).reduce(0, +)
    let y = pairs.map(\.1).reduce(0, +)
    let xx = pairs.map { $0.0 * $0.0 }.reduce(0, +)
    let xy = pairs.map { $0.0 * $0.1 }.reduce(0, +)
    let determinant = n * xx - x * x
    let scale = (n * xy - x * y) / determinant
    let shift = (xx * y - x * xy) / determinant
    let farthest = truth.allSatisfy { $0 <= 10 } ? 10.0 : 80
    return prediction.map {
      $0 > 0.001 ? max(1 / max(scale / $0 + shift, 1 / farthest), 0.001) : 0.001
    }
  }
}
