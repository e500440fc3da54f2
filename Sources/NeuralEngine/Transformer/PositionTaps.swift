/// Four neighbors of a sample of the learned positions along one axis, for bicubic interpolation with a = −0.75 and repeated
/// borders.
struct PositionTaps: Sendable {
  var indices: SIMD4<Int>
  var weights: SIMD4<Float>

  /// The taps of `size` samples of `learned` vectors, at the positions that the authors of DINOv2 and Depth Anything use:
  /// sample n at (n + ½) · learned / (size + 0.1) − ½. The 0.1 was meant to prevent rounding down, and was used in training.
  static func all(from learned: Int, to size: Int) -> [PositionTaps] {
    (0..<size).map { sample in
      let position = (Double(sample) + 0.5) * Double(learned) / (Double(size) + 0.1) - 0.5
      let first = position.rounded(.down)
      let last = learned - 1
      return PositionTaps(
        indices: SIMD4((-1...2).map { min(max(Int(first) + $0, 0), last) }),
        weights: SIMD4<Float>(BicubicWeights.of(position - first)))
    }
  }
}

/// The weights of Keys's cubic convolution with a = −0.75, as in OpenCV and PyTorch.
///
/// > Source: R. Keys. “Cubic Convolution Interpolation for Digital Image Processing.” IEEE TASSP 29(6), 1981, equation 4.
enum BicubicWeights {
  /// - Parameter t: Distance from the second of the four samples, 0 ..< 1.
  static func of(_ t: Double) -> SIMD4<Double> {
    let a = -0.75
    func far(_ x: Double) -> Double { ((a * x - 5 * a) * x + 8 * a) * x - 4 * a }
    func near(_ x: Double) -> Double { ((a + 2) * x - (a + 3)) * x * x + 1 }
    return SIMD4(far(1 + t), near(t), near(1 - t), far(2 - t))
  }
}
