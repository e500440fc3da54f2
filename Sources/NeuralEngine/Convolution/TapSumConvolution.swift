import CDepthSIMD
import DepthBase

/// A 3×3 convolution to one or two channels: nine products per pixel and channel, followed by shifted sums.
struct TapSumConvolution: Sendable {
  /// Input channels × nine taps of each output channel.
  let matrix: PackedWeights
  let bias: [Float]
  let activation: Activation

  init(
    inputChannels: Int, kernels: KernelRows, bias: [Float], activation: Activation,
    backend: GEMMBackend
  ) throws {
    let columns = 9 * bias.count
    matrix = PackedWeights(
      depth: inputChannels, columns: columns, backend: backend,
      storage: AlignedBuffer(
        count: PackedWeights.count(depth: inputChannels, columns: columns, backend: backend)))
    (self.bias, self.activation) = (bias, activation)
    let functions = unsafe backend.kernels.pointee
    // The order output · input · tap becomes a matrix of inputs × (outputs · taps).
    let source = try kernels(0..<bias.count)
    var transposed = [Float](repeating: 0, count: source.count)
    for output in bias.indices {
      for input in 0..<inputChannels {
        for tap in 0..<9 {
          transposed[input * columns + 9 * output + tap] =
            source[(output * inputChannels + input) * 9 + tap]
        }
      }
    }
    unsafe transposed.withUnsafeBufferPointer { source in
      guard let source = source.baseAddress else { return }
      for panel in 0..<matrix.panels {
        let range = matrix.columns(ofPanel: panel)
        unsafe functions.network.pack_panel(
          inputChannels, range.count, source + range.lowerBound, 1, columns, matrix.panel(panel),
          matrix.rowStride)
      }
    }
  }

  /// Distance between the products of two pixels, in floats: 16 or 32.
  private var productStride: Int { Workspace.aligned(9 * bias.count) }

  func scratchCount(for input: Tensor.Shape) -> Int { input.rows * productStride }

  func run(
    _ input: FeatureMap, output: FeatureMap, scratch: Int, in workspace: Workspace,
    on team: ThreadTeam
  ) {
    unsafe matrix.multiply(
      operands(of: input, products: scratch, in: workspace), on: team)
    sumTaps(ofProducts: scratch, into: output, in: workspace, on: team)
  }

  /// Bytes of a strip of the input, which shares a thread's second-level cache with the first convolution's weights.
  private static let stripBytes = 192 << 10

  /// Each thread's strip of a map of the given shape.
  private func strips(of shape: Tensor.Shape, threads: Int, offset: Int) -> FeatureMap {
    let lineBytes = 4 * shape.width * FeatureMap.pixelStride(forChannels: shape.channels)
    let lines = min(max(Self.stripBytes / lineBytes, 1), shape.height)
    return FeatureMap(
      shape: .init(count: threads, height: lines, width: shape.width, channels: shape.channels),
      offset: offset)
  }

  /// Floats of scratch for ``run(onResultOf:of:adding:output:scratch:in:on:)``.
  func scratchCount(
    forResultOf first: QuantizedConvolution, of input: Tensor.Shape, threads: Int
  ) -> Int {
    let shape = first.outputShape(for: input)
    let strips = self.strips(of: shape, threads: threads, offset: 0)
    return scratchCount(for: shape) + Workspace.aligned(strips.extent)
      + first.scratchCount(for: input, strips: strips.shape)
  }

  /// Convolves the result of a convolution on quantized values. At most one strip per thread is in memory.
  ///
  /// A pixel's products do not depend on other pixels, so the result has the same bits as for a whole map.
  func run(
    onResultOf first: QuantizedConvolution, of input: QuantizedMap, adding residual: QuantizedMap?,
    output: FeatureMap, scratch: Int, in workspace: Workspace, on team: ThreadTeam
  ) {
    let shape = first.outputShape(for: input.shape)
    let strips = self.strips(
      of: shape, threads: team.threads, offset: scratch + scratchCount(for: shape))
    first.runInStrips(
      input, adding: residual, strips: strips,
      scratch: strips.offset + Workspace.aligned(strips.extent), in: workspace, on: team
    ) { strip, image, lines in
      let pixel = image * shape.area + lines.lowerBound * shape.width
      unsafe matrix.multiply(
        operands(of: strip, products: scratch + pixel * productStride, in: workspace),
        panels: 0..<matrix.panels)
    }
    sumTaps(ofProducts: scratch, into: output, in: workspace, on: team)
  }

  /// The operands for the product of all pixels and the matrix.
  private func operands(
    of input: FeatureMap, products: Int, in workspace: Workspace
  ) -> GEMMOperands {
    unsafe GEMMOperands(
      rows: input.shape.rows, a: workspace.base + input.offset, aStride: input.pixelStride,
      c: workspace.base + products, cStride: productStride)
  }

  /// Sums the nine products of each output, then bounds the sums.
  private func sumTaps(
    ofProducts scratch: Int, into output: FeatureMap, in workspace: Workspace, on team: ThreadTeam
  ) {
    let (stride, outputs) = (productStride, bias.count)
    nonisolated(unsafe) let products = unsafe UnsafePointer(workspace.base + scratch)
    nonisolated(unsafe) let y = unsafe workspace.base + output.offset
    let (height, width) = (output.shape.height, output.shape.width)
    let rowsPerTask = 16
    let tasks = (height + rowsPerTask - 1) / rowsPerTask
    team.forEach(output.shape.count * tasks) { _, index in
      let (image, task) = index.quotientAndRemainder(dividingBy: tasks)
      unsafe bias.withUnsafeBufferPointer { bias in
        guard let bias = bias.baseAddress else { return }
        unsafe matrix.backend.kernels.pointee.network.sum_taps(
          height, width, outputs, stride, task * rowsPerTask,
          min((task + 1) * rowsPerTask, height),
          products + image * height * width * stride, bias, activation.lowerBound,
          activation.upperBound ?? .infinity, y + image * height * width * outputs)
      }
    }
  }
}
