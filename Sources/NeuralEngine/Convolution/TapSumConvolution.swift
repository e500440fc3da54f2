import CDepthSIMD
import ThreadTeams

/// A 3×3 convolution to one or two channels: nine products per pixel and channel, then their shifted sums.
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
    // Output · input · tap, as a matrix of inputs × (outputs · taps).
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

  /// Floats from the products of one pixel to those of the next: 16 or 32.
  private var productStride: Int { Workspace.aligned(9 * bias.count) }

  func scratchCount(for input: Tensor.Shape) -> Int { input.rows * productStride }

  func run(
    _ input: FeatureMap, output: FeatureMap, scratch: Int, in workspace: Workspace,
    on team: ThreadTeam
  ) {
    let (stride, outputs) = (productStride, bias.count)
    nonisolated(unsafe) let products = unsafe workspace.base + scratch
    unsafe matrix.multiply(
      GEMMOperands(
        rows: input.shape.rows, a: workspace.base + input.offset, aStride: input.pixelStride,
        c: products, cStride: stride),
      on: team)
    nonisolated(unsafe) let y = unsafe workspace.base + output.offset
    let (height, width) = (input.shape.height, input.shape.width)
    let rowsPerTask = 16
    let tasks = (height + rowsPerTask - 1) / rowsPerTask
    team.forEach(input.shape.count * tasks) { _, index in
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
