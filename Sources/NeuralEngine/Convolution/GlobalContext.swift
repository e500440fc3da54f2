import DepthBase

/// Adds a linear function of the mean over all pixels to each pixel: y = x + W · mean(x) + b.
///
/// The mean is summed in 64-bit floats and the product in 32-bit ones, each in one order, so the result has the same bits on
/// all instruction sets and any number of threads.
///
/// > Source: W. Liu, A. Rabinovich, A. C. Berg. “ParseNet: Looking Wider to See Better.” 2015.
/// > [arXiv:1506.04579](https://arxiv.org/abs/1506.04579), section 3.1.
struct GlobalContext: PreparedOperation {
  let channels: Int
  /// Input × output channels.
  private let weights: [Float]
  private let bias: [Float]

  /// - Parameters:
  ///   - kernels: Reads the rows of W, one per output channel.
  ///   - bias: One value per channel.
  /// - Throws: Whatever `kernels` throws.
  init(channels: Int, kernels: KernelRows, bias: [Float]) throws {
    (self.channels, self.bias) = (channels, bias)
    let rows = try kernels(0..<channels)
    var weights = [Float](repeating: 0, count: rows.count)
    for output in 0..<channels {
      for input in 0..<channels {
        weights[input * channels + output] = rows[output * channels + input]
      }
    }
    self.weights = weights
  }

  func description(for input: Tensor.Shape) -> (shape: String, algorithm: String) {
    ("context \(channels)", "mean")
  }

  var weightBytes: Int { weights.count * MemoryLayout<Float>.stride }

  func outputShape(for input: Tensor.Shape) -> Tensor.Shape { input }

  func multiplyAdds(for input: Tensor.Shape) -> Int { input.count * channels * channels }

  func run(_ run: LayerRun) {
    let (input, output, shape) = (run.input, run.output, run.input.shape)
    precondition(shape.channels == channels, "x has \(shape.channels) channels, not \(channels)")
    precondition(output.shape == shape, "y is \(output.shape), expected \(shape)")
    nonisolated(unsafe) let base = unsafe run.workspace.base
    run.team.forEach(shape.count) { _, image in
      let first = unsafe UnsafePointer(base + input.offset) + image * shape.area * input.pixelStride
      let added = unsafe context(of: first, pixels: shape.area, stride: input.pixelStride)
      let result = unsafe base + output.offset + image * shape.area * output.pixelStride
      unsafe added.withUnsafeBufferPointer { added in
        for pixel in 0..<shape.area {
          let (x, y) = unsafe (
            first + pixel * input.pixelStride, result + pixel * output.pixelStride
          )
          for c in 0..<channels { unsafe y[c] = x[c] + added[c] }
        }
      }
    }
  }

  /// W · mean + b of one image.
  private func context(of x: UnsafePointer<Float>, pixels: Int, stride: Int) -> [Float] {
    var sums = [Double](repeating: 0, count: channels)
    for pixel in 0..<pixels {
      let values = unsafe x + pixel * stride
      for c in 0..<channels { unsafe sums[c] += Double(values[c]) }
    }
    var context = bias
    for (input, sum) in sums.enumerated() {
      let mean = Float(sum / Double(pixels))
      let row = input * channels
      for output in 0..<channels { context[output] += weights[row + output] * mean }
    }
    return context
  }
}
