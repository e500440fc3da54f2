package import DepthBase

/// Resizes a photo by bicubic interpolation to floats with a scale and mean per channel, the input of Depth Anything.
///
/// The interpolation is OpenCV's `INTER_CUBIC` for floats: four taps with a = −0.75, pixel centers and repeated borders.
/// The filter is not widened for smaller sizes, and results are not clamped.
///
/// - Parameters:
///   - image: Photo of any size.
///   - height: Rows of the result, at least 1.
///   - width: Columns of the result, at least 1.
///   - scale: The factor of each channel, 0…255.
///   - mean: Subtracted from each channel after the factor.
///   - threads: Number of threads, which does not change the bits of the result.
/// - Returns: `height × width × 3` floats.
///
/// > Source: R. Keys. “Cubic Convolution Interpolation for Digital Image Processing.” IEEE TASSP 29(6), 1981; OpenCV 4,
/// > `resize.cpp`, for the positions in 32-bit floats.
package func bicubicInput(
  _ image: Image, height: Int, width: Int, scale: [Float], mean: [Float], threads: Int,
  isa: InstructionSet = .current
) -> [Float] {
  precondition(
    scale.count == 3 && mean.count == 3, "\(scale.count) and \(mean.count) factors, not 3")
  let across = BicubicTap.taps(from: image.width, to: width)
  let beyond = BicubicTap.beyond
  let first = across.map { $0.first + beyond }
  let weights = across.flatMap { tap in (0..<4).map { tap.weights[$0] } }
  let kernels = PictureKernels(isa)
  let factors = SIMD3(scale[0], scale[1], scale[2])
  let offsets = SIMD3(mean[0], mean[1], mean[2])
  return kernels.resampled(
    image,
    rows: BicubicTap.taps(from: image.height, to: height).map { $0.window(of: image.height) },
    width: width, margin: beyond, threads: threads
  ) { line, out in
    kernels.bicubic(
      line, length: image.width + 2 * beyond, first: first, weights: weights, factors: factors,
      offsets: offsets, into: &out)
  }
}

/// The four source pixels of a result pixel along one axis.
private struct BicubicTap {
  /// The first of the four pixels, possibly beyond the border.
  let first: Int
  /// Maximum number of the four pixels beyond the border, on either side.
  static let beyond = 2
  let weights: SIMD4<Float>

  static func taps(from: Int, to: Int) -> [BicubicTap] {
    let scale = 1 / (Double(to) / Double(from))
    return (0..<to).map { index in
      let position = Float((Double(index) + 0.5) * scale - 0.5)
      let whole = position.rounded(.down)
      return BicubicTap(first: Int(whole) - 1, weights: weights(position - whole))
    }
  }

  /// The four weights in 32-bit floats, computed as in OpenCV.
  private static func weights(_ x: Float) -> SIMD4<Float> {
    let a: Float = -0.75
    let first = ((a * (x + 1) - 5 * a) * (x + 1) + 8 * a) * (x + 1) - 4 * a
    let second = ((a + 2) * x - (a + 3)) * x * x + 1
    let third = ((a + 2) * (1 - x) - (a + 3)) * (1 - x) * (1 - x) + 1
    return SIMD4(first, second, third, 1 - first - second - third)
  }

  /// The taps with repeated borders, merged into weights of existing rows.
  func window(of count: Int) -> RowWindow {
    let places = (0..<4).map { min(max(first + $0, 0), count - 1) }
    var merged = [Float](repeating: 0, count: places[3] - places[0] + 1)
    for (place, k) in zip(places, 0..<4) { merged[place - places[0]] += weights[k] }
    return RowWindow(first: places[0], weights: merged)
  }
}
