import CDepthSIMD
import DepthBase

/// A function of one pooled number per channel, f(v) = Wₙ · … ReLU(W₁ · v + b₁) … + bₙ. The result is added to each pixel or
/// gates the pixel's channels:
///
///     y = x + f(v)        y = x · σ(f(v))
///
/// Pooling sums 64-bit floats and products sum 32-bit floats, each in a fixed order. The result therefore does not depend on
/// the instruction set or the number of threads.
struct ChannelContext: PreparedOperation {
  /// The pooling of a channel over all pixels.
  enum Pooling: Sendable {
    case mean
    /// The mean, weighted by a softmax of k · x + b over all pixels.
    case attention(kernel: [Float], bias: Float)
  }

  /// A product with a matrix, input × output channels.
  struct Product: Sendable {
    let weights, bias: [Float]
  }

  let channels: Int
  let pooling: Pooling
  let products: [Product]
  /// Whether the result gates the channels instead of being added.
  let isGate: Bool

  func description(for input: Tensor.Shape) -> (shape: String, algorithm: String) {
    ("context \(channels)", isGate ? "gate" : "mean")
  }

  var weightBytes: Int {
    products.reduce(0) { $0 + $1.weights.count } * MemoryLayout<Float>.stride
  }

  func outputShape(for input: Tensor.Shape) -> Tensor.Shape { input }

  func multiplyAdds(for input: Tensor.Shape) -> Int {
    input.count * products.reduce(0) { $0 + $1.weights.count }
  }

  /// Floats of scratch: the shares of all pixels.
  func scratchCount(for input: Tensor.Shape, threads: Int) -> Int {
    guard case .attention = pooling else { return 0 }
    return Workspace.aligned(input.rows)
  }

  func run(_ run: LayerRun) {
    let (input, output, shape) = (run.input, run.output, run.input.shape)
    precondition(shape.channels == channels, "x has \(shape.channels) channels, not \(channels)")
    precondition(output.shape == shape, "y is \(output.shape), expected \(shape)")
    nonisolated(unsafe) let base = unsafe run.workspace.base
    let network = unsafe run.backend.kernels.pointee.network
    let (exponential, sigmoid) = unsafe (network.exponential, network.sigmoid)
    run.team.forEach(shape.count) { _, image in
      let first = unsafe UnsafePointer(base + input.offset) + image * shape.area * input.pixelStride
      let shares = unsafe base + run.scratch + image * shape.area
      let pooled = unsafe self.pooled(
        first, pixels: shape.area, stride: input.pixelStride, shares: shares, exponential)
      var context = self.context(of: pooled)
      if isGate {
        unsafe context.withUnsafeMutableBufferPointer { context in
          guard let start = context.baseAddress else { return }
          unsafe sigmoid(channels, 1, start, start)
        }
      }
      let result = unsafe base + output.offset + image * shape.area * output.pixelStride
      unsafe context.withUnsafeBufferPointer { context in
        for pixel in 0..<shape.area {
          let (x, y) = unsafe (
            first + pixel * input.pixelStride, result + pixel * output.pixelStride
          )
          if isGate {
            for c in 0..<channels { unsafe y[c] = x[c] * context[c] }
          } else {
            for c in 0..<channels { unsafe y[c] = x[c] + context[c] }
          }
        }
      }
    }
  }

  /// The pooled numbers of one image, one per channel.
  private func pooled(
    _ x: UnsafePointer<Float>, pixels: Int, stride: Int, shares: UnsafeMutablePointer<Float>,
    _ exponential: (Int, UnsafePointer<Float>, UnsafeMutablePointer<Float>) -> Void
  ) -> [Float] {
    var sums = [Double](repeating: 0, count: channels)
    guard case .attention(let kernel, let bias) = pooling else {
      for pixel in 0..<pixels {
        let values = unsafe x + pixel * stride
        for c in 0..<channels { unsafe sums[c] += Double(values[c]) }
      }
      return sums.map { Float($0 / Double(pixels)) }
    }
    var top = -Float.infinity
    for pixel in 0..<pixels {
      let values = unsafe x + pixel * stride
      var score = Double(bias)
      for c in 0..<channels { unsafe score += Double(kernel[c]) * Double(values[c]) }
      unsafe shares[pixel] = Float(score)
      top = max(top, Float(score))
    }
    for pixel in 0..<pixels { unsafe shares[pixel] -= top }
    unsafe exponential(pixels, shares, shares)
    var total = 0.0
    for pixel in 0..<pixels {
      let (values, share) = unsafe (x + pixel * stride, Double(shares[pixel]))
      total += share
      for c in 0..<channels { unsafe sums[c] += share * Double(values[c]) }
    }
    return sums.map { Float($0 / total) }
  }

  /// f of pooled numbers.
  private func context(of pooled: [Float]) -> [Float] {
    var values = pooled
    for (index, product) in products.enumerated() {
      if index > 0 { values = values.map { max($0, 0) } }
      var sums = product.bias
      for (input, value) in values.enumerated() {
        let row = input * sums.count
        for output in sums.indices { sums[output] += product.weights[row + output] * value }
      }
      values = sums
    }
    return values
  }
}
