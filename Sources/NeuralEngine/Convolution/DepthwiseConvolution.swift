import CDepthSIMD
import DepthBase

/// A depthwise convolution on floats: y = min(max(Σ w · x + bias, lower bound), upper bound) for each channel.
///
/// Each output is one chain of additions in the order of the taps, so the result does not depend on the number of threads.
struct DepthwiseConvolution: PreparedOperation {
  let geometry: DepthwiseGeometry
  /// Taps × ``weightStride``.
  private let weights: AlignedBuffer
  /// Floats from tap to tap.
  private let weightStride: Int
  private let bounds: ChannelBounds

  /// - Parameters:
  ///   - kernels: Reads the kernels of some channels, k × k weights each.
  ///   - bias: One value per channel.
  ///   - activation: Any but ``Activation/exp``.
  /// - Throws: Errors of `kernels`.
  init(
    _ geometry: DepthwiseGeometry, kernels: KernelRows, bias: [Float], activation: Activation
  ) throws {
    precondition(activation != .exp, "a depthwise convolution has no exponential function")
    precondition(
      bias.count == geometry.channels, "\(bias.count) biases, expected \(geometry.channels)")
    self.geometry = geometry
    bounds = ChannelBounds(bias: bias, activation: activation)
    let (taps, channels) = (geometry.taps, geometry.channels)
    weightStride = Workspace.aligned(channels)
    let source = try kernels(0..<channels)
    var transposed = [Float](repeating: 0, count: taps * weightStride)
    for channel in 0..<channels {
      for tap in 0..<taps {
        transposed[tap * weightStride + channel] = source[channel * taps + tap]
      }
    }
    weights = AlignedBuffer(padding: transposed)
  }

  func description(for input: Tensor.Shape) -> (shape: String, algorithm: String) {
    (geometry.description, "direct")
  }

  var weightBytes: Int { weights.count * MemoryLayout<Float>.stride }

  func outputShape(for input: Tensor.Shape) -> Tensor.Shape { geometry.outputShape(for: input) }

  func multiplyAdds(for input: Tensor.Shape) -> Int {
    geometry.multiplyAdds(for: outputShape(for: input))
  }

  /// Minimum number of tasks, so that threads of unequal speed finish together.
  private static let wantedTasks = 16

  func run(_ run: LayerRun) {
    let (input, output) = (run.input, run.output)
    let (shape, result) = (input.shape, output.shape)
    precondition(result == outputShape(for: shape), "y is \(result)")
    nonisolated(unsafe) let base = unsafe run.workspace.base
    nonisolated(unsafe) let whole = unsafe ck_depthwise(
      height: shape.height, width: shape.width, channels: shape.channels,
      kernel: geometry.kernelSize, stride: geometry.stride, out_width: result.width,
      x_stride: input.pixelStride, y_stride: output.pixelStride,
      x: UnsafePointer(base + input.offset), y: base + output.offset,
      weights: UnsafePointer(weights.base), weight_stride: weightStride,
      epilogue: bounds.epilogue(residual: nil, in: run.workspace))
    let compute = unsafe run.backend.kernels.pointee.network.depthwise
    if case .fused = run.backend {
      return run.team.forEach(result.rows) { _, pixel in unsafe fused(pixel, whole, result) }
    }
    let blocks = min(Self.wantedTasks, result.height)
    run.team.forEach(shape.count * blocks) { _, index in
      let (image, block) = index.quotientAndRemainder(dividingBy: blocks)
      var part = unsafe whole
      unsafe part.x += image * shape.area * input.pixelStride
      unsafe part.y += image * result.area * output.pixelStride
      unsafe compute(
        &part, block * result.height / blocks, (block + 1) * result.height / blocks)
    }
    withExtendedLifetime(self) {}
  }

  /// Computes one pixel with a single rounding per product and sum, as processors with fused multiply-add do.
  private func fused(_ pixel: Int, _ call: ck_depthwise, _ result: Tensor.Shape) {
    let (image, place) = pixel.quotientAndRemainder(dividingBy: result.area)
    let (row, column) = place.quotientAndRemainder(dividingBy: result.width)
    let (height, width) = unsafe (call.height, call.width)
    let (size, padding) = (geometry.kernelSize, geometry.padding)
    for c in 0..<geometry.channels {
      var sum: Float = 0
      for tap in 0..<geometry.taps {
        let y = row * geometry.stride + tap / size - padding
        let x = column * geometry.stride + tap % size - padding
        guard 0..<height ~= y, 0..<width ~= x else { continue }
        unsafe sum.addProduct(
          call.x[((image * height + y) * width + x) * call.x_stride + c],
          call.weights[tap * weightStride + c])
      }
      if let bias = unsafe call.epilogue.bias { unsafe sum += bias[c] }
      if let bound = unsafe call.epilogue.lower_bound { unsafe sum = max(sum, bound[c]) }
      if unsafe call.epilogue.upper_bound > 0 { sum = unsafe min(sum, call.epilogue.upper_bound) }
      unsafe call.y[pixel * call.y_stride + c] = sum
    }
  }
}
