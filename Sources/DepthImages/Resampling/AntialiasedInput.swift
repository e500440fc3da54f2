package import DepthBase

/// Resizes a photo to a network's input and normalizes pixels: pixel · scale − mean. For reductions, the bilinear
/// filter is widened so that no pixel is skipped. Sums are 32-bit floats, never rounded to bytes.
///
/// > Source: PyTorch, `interpolate(mode="bilinear", antialias=True)`.
///
/// - Parameters:
///   - image: A photo of any size.
///   - height: Rows of the result.
///   - width: Columns of the result.
///   - scale: Per channel, red first.
///   - mean: Per channel, subtracted after the scale.
///   - isa: The instruction set, which does not change the bits of the result.
/// - Returns: `height × width × 3`.
/// - Precondition: Both sides are positive.
package func antialiasedInput(
  _ image: Image, height: Int, width: Int, scale: [Float], mean: [Float], threads: Int,
  isa: InstructionSet = .current
) -> [Float] {
  precondition(
    scale.count == 3 && mean.count == 3, "\(scale.count) and \(mean.count) factors, not 3")
  let across = triangleWindows(from: image.width, to: width)
  return PictureKernels(isa).resampled(
    image, rows: triangleWindows(from: image.height, to: height), width: width, threads: threads
  ) { line, out in
    for (column, window) in across.enumerated() {
      var sum = SIMD3<Float>.zero
      for (index, weight) in window.weights.enumerated() {
        let pixel = 3 * (window.first + index)
        sum += weight * SIMD3(line[pixel], line[pixel + 1], line[pixel + 2])
      }
      for channel in 0..<3 {
        out[3 * column + channel] = sum[channel] * scale[channel] - mean[channel]
      }
    }
  }
}

/// The source pixels of each result pixel along one axis, with weights that sum to 1.
private func triangleWindows(from: Int, to: Int) -> [RowWindow] {
  let step = Double(from) / Double(to)
  let reach = max(step, 1)
  return (0..<to).map { index in
    let center = step * (Double(index) + 0.5)
    let first = max(Int(center - reach + 0.5), 0)
    let end = min(Int(center + reach + 0.5), from)
    let weights = (first..<end).map { max(0, 1 - abs((Double($0) + 0.5 - center) / reach)) }
    let total = weights.reduce(0, +)
    return RowWindow(first: first, weights: weights.map { Float($0 / total) })
  }
}
