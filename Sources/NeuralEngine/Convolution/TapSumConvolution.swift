import CDepthSIMD
import ThreadTeams

/// A 3×3 convolution to one channel: the nine products of every pixel first, then their shifted sum.
struct TapSumConvolution: Sendable {
  /// Input channels × nine taps.
  let matrix: Matrix
  let bias, floor: Float

  init(
    inputChannels: Int, kernels: KernelRows, bias: Float, floor: Float, products: Products
  ) throws {
    matrix = Matrix(
      depth: inputChannels, columns: 9, products: products,
      storage: AlignedBuffer(
        count: Matrix.count(depth: inputChannels, columns: 9, products: products)))
    (self.bias, self.floor) = (bias, floor)
    let functions = products.kernels.pointee
    try kernels(0..<1).withUnsafeBufferPointer { source in
      guard let source = source.baseAddress else { return }
      for panel in 0..<matrix.panels {
        let columns = matrix.columns(ofPanel: panel)
        functions.network.pack_panel(
          inputChannels, columns.count, source + columns.lowerBound, 1, 9, matrix.panel(panel),
          matrix.rowStride)
      }
    }
  }

  /// Floats from one pixel's products to the next one's.
  private static let productStride = 16

  func scratchCount(for input: Tensor.Shape) -> Int { input.rows * Self.productStride }

  func run(
    _ input: FeatureMap, output: FeatureMap, scratch: Int, in workspace: Workspace,
    on team: ThreadTeam
  ) {
    nonisolated(unsafe) let products = workspace.base + scratch
    matrix.multiply(
      ProductOperands(
        rows: input.shape.rows, a: workspace.base + input.offset, aStride: input.pixelStride,
        c: products, cStride: Self.productStride),
      on: team)
    nonisolated(unsafe) let y = workspace.base + output.offset
    let (height, width) = (input.shape.height, input.shape.width)
    let rowsPerTask = 16
    let tasks = (height + rowsPerTask - 1) / rowsPerTask
    team.forEach(input.shape.count * tasks) { _, index in
      let (image, task) = index.quotientAndRemainder(dividingBy: tasks)
      matrix.products.kernels.pointee.network.sum_taps(
        height, width, Self.productStride, task * rowsPerTask,
        min((task + 1) * rowsPerTask, height),
        products + image * height * width * Self.productStride, bias, floor,
        y + image * height * width)
    }
  }
}
