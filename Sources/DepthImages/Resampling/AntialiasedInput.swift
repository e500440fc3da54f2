package import DepthBase

/// A photo at the size of a network's input, normalized: pixel · scale − mean, by bilinear interpolation whose triangle is as wide as the
/// reduction, so that nothing is skipped. Sums are 32-bit floats; nothing is rounded to bytes.
///
/// > Source: PyTorch, `interpolate(mode="bilinear", antialias=True)`.
///
/// - Parameters:
///   - image: A photo of any size.
///   - height: Rows of the result.
///   - width: Columns of the result.
///   - scale: Per channel, red first.
///   - mean: Per channel, subtracted after the scale.
///   - isa: The instruction set; each gives the same bits.
/// - Returns: `height × width × 3`.
/// - Precondition: Both sides are positive.
package func antialiasedInput(
  _ image: Image, height: Int, width: Int, scale: [Float], mean: [Float], threads: Int,
  isa: InstructionSet = .current
) -> [Float] {
  precondition(height > 0 && width > 0, "size \(width)×\(height), expected at least 1×1")
  precondition(
    scale.count == 3 && mean.count == 3, "\(scale.count) and \(mean.count) factors, not 3")
  let down = TriangleWindow.windows(from: image.height, to: height)
  let across = TriangleWindow.windows(from: image.width, to: width)
  let rowBytes = image.width * 3
  let kernels = PictureKernels(isa)
  return filledRows(height: height, width: width * 3, grain: 8, threads: threads) { rows, out in
    withScratch(rowBytes) { line in
      out.forEachRow(rows, width: width * 3) { row, out in
        let window = down[row]
        kernels.weightedBytes(
          window.weights.span,
          image.pixels.span.extracting(
            window.first * rowBytes..<(window.first + window.weights.count) * rowBytes),
          step: rowBytes, count: rowBytes, into: &line)
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
  }
}

/// The pixels along one axis that a pixel of the result is made of. Their weights sum to 1.
private struct TriangleWindow {
  let first: Int
  let weights: [Float]

  static func windows(from: Int, to: Int) -> [TriangleWindow] {
    let step = Double(from) / Double(to)
    let reach = max(step, 1)
    return (0..<to).map { index in
      let center = step * (Double(index) + 0.5)
      let first = max(Int(center - reach + 0.5), 0)
      let end = min(Int(center + reach + 0.5), from)
      let weights = (first..<end).map { max(0, 1 - abs((Double($0) + 0.5 - center) / reach)) }
      let total = weights.reduce(0, +)
      return TriangleWindow(first: first, weights: weights.map { Float($0 / total) })
    }
  }
}
