/// Weights that are lowered where a map has a slope, pixel by pixel in 64 bits.
///
/// - Parameter weights: Weights of pixels. 0 marks a missing value.
public func referenceSlopeWeights(
  _ values: [Float], _ weights: [Float], height: Int, width: Int, tolerance: Double, relative: Bool
) -> [Double] {
  (0..<height * width).map { pixel in
    guard weights[pixel] > 0 else { return 0 }
    func slope(_ step: Int, _ index: Int, _ count: Int) -> Double {
      guard index > 0, index < count - 1, weights[pixel - step] > 0, weights[pixel + step] > 0
      else { return 0 }
      let before = Double(values[pixel]) - Double(values[pixel - step])
      let after = Double(values[pixel + step]) - Double(values[pixel])
      return before * after > 0 ? (before + after) / 2 : 0
    }
    let (across, down) = (slope(1, pixel % width, width), slope(width, pixel / width, height))
    let limit = tolerance * (relative ? Double(values[pixel]) : 1)
    return Double(weights[pixel])
      * max(1 / (1 + (across * across + down * down) / (limit * limit)), 1e-6)
  }
}
