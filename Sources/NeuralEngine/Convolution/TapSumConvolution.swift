import CDepthSIMD
import ThreadTeams

/// A 3×3 convolution to one channel: nine products per pixel, then their shifted sum.
struct TapSumConvolution: Sendable {
  /// Input channels × nine taps.
  let matrix: PackedWeights
  let bias, lowerBound: Float

  init(
    inputChannels: Int, kernels: KernelRows, bias: Float, lowerBound: Float, backend: GEMMBackend
  ) throws {
    matrix = PackedWeights(
      depth: inputChannels, columns: 9, backend: backend,
      storage: AlignedBuffer(
        count: PackedWeights.count(depth: inputChannels, columns: 9, backend: backend)))
    (self.bias, self.lowerBound) = (bias, lowerBound)
    let functions = unsafe backend.kernels.pointee
    try unsafe kernels(0..<1).withUnsafeBufferPointer { source in
      guard let source = source.baseAddress else { return }
      for panel in 0..<matrix.panels {
        let columns = matrix.columns(ofPanel: panel)
        unsafe functions.network.pack_panel(
          inputChannels, columns.count, source + columns.lowerBound, 1, 9, matrix.panel(panel),
          matrix.rowStride)
      }
    }
  }

  /// Floats from the products of one pixel to those of the next.
  private static let productStride = 16

  func scratchCount(for input: Tensor.Shape) -> Int { input.rows * Self.productStride }

  func run(
    _ input: FeatureMap, output: FeatureMap, scratch: Int, in workspace: Workspace,
    on team: ThreadTeam
  ) {
    nonisolated(unsafe) let products = unsafe workspace.base + scratch
    unsafe matrix.multiply(
      GEMMOperands(
        rows: input.shape.rows, a: workspace.base + input.offset, aStride: input.pixelStride,
        c: products, cStride: Self.productStride),
      on: team)
    nonisolated(unsafe) let y = unsafe workspace.base + output.offset
    let (height, width) = (input.shape.height, input.shape.width)
    let rowsPerTask = 16
    let tasks = (height + rowsPerTask - 1) / rowsPerTask
    team.forEach(input.shape.count * tasks) { _, index in
      let (image, task) = index.quotientAndRemainder(dividingBy: tasks)
      unsafe matrix.backend.kernels.pointee.network.sum_taps(
        height, width, Self.productStride, task * rowsPerTask,
        min((task + 1) * rowsPerTask, height),
        products + image * height * width * Self.productStride, bias, lowerBound,
        y + image * height * width)
    }
  }
}
