import CDepthSIMD
import DepthBase

/// A convolution as one matrix product. 1×1 kernels read the map itself, and other kernels use
/// im2col.
struct DirectConvolution: Sendable {
  let geometry: ConvolutionGeometry
  /// (taps · input channels) × output channels; rows are ordered by tap row, tap column, input
  /// channel.
  let matrix: PackedWeights
  let bounds: ChannelBounds
  /// Whether a GELU is applied after the bounds, while results are in the cache.
  let appliesGELU: Bool

  init(
    _ geometry: ConvolutionGeometry, kernels: @escaping KernelRows, bounds: ChannelBounds,
    appliesGELU: Bool, backend: GEMMBackend, place: WeightPlace, on team: ThreadTeam
  ) throws {
    self.geometry = geometry
    self.bounds = bounds
    self.appliesGELU = appliesGELU
    let (taps, channels) = (geometry.taps, geometry.inputChannels)
    let depth = taps * channels
    let storage = place.storage(
      count: PackedWeights.count(depth: depth, columns: geometry.outputChannels, backend: backend))
    let matrix = PackedWeights(
      depth: depth, columns: geometry.outputChannels, backend: backend, storage: storage.buffer,
      offset: storage.offset)
    self.matrix = matrix
    guard place.holdsWeights else { return }
    try team.forEachThrowing(matrix.panels) { panel in
      let columns = matrix.columns(ofPanel: panel)
      try unsafe kernels(columns).withUnsafeBufferPointer { source in
        guard let source = source.baseAddress else { return }
        for tap in 0..<taps {
          unsafe backend.kernels.pointee.network.pack_panel(
            channels, columns.count, source + tap, depth, taps,
            matrix.panel(panel) + tap * channels * matrix.rowStride, matrix.rowStride)
        }
      }
    }
  }

  /// Whether the map itself is the left-hand matrix, so that no inputs are gathered.
  private var readsMap: Bool {
    geometry.taps == 1 && geometry.stride == 1 && geometry.padding == .none
  }

  /// Maximum bytes of weights that stay in the second-level cache while rows are gathered.
  private static let privateWeights = 512 << 10
  /// Gathered rows in a worker's own block: eight row blocks of the GEMM kernel.
  private static let privateRows = 96
  /// Bytes of gathered rows that the team shares at a time, which bounds the scratch for large
  /// maps.
  private static let sharedBytes = 8 << 20

  /// Whether each worker gathers and multiplies its own rows.
  private var isPrivate: Bool {
    4 * matrix.depth * matrix.columns <= Self.privateWeights
  }

  private func rowsPerBlock(for output: Tensor.Shape) -> Int {
    if isPrivate { return Self.privateRows }
    let fitting = max(Self.sharedBytes / (4 * matrix.depth), 1)
    let blocks = max((output.rows + fitting - 1) / fitting, 1)
    return max((output.rows + blocks - 1) / blocks, 1)
  }

  func scratchCount(for input: Tensor.Shape, threads: Int) -> Int {
    guard !readsMap else { return 0 }
    let rows = rowsPerBlock(for: geometry.outputShape(for: input))
    return Workspace.aligned(rows * matrix.depth) * (isPrivate ? threads : 1)
  }

  func run(
    _ input: FeatureMap, residual: FeatureMap?, output: FeatureMap, scratch: Int,
    in workspace: Workspace, on team: ThreadTeam
  ) {
    let rows = output.shape.rows
    nonisolated(unsafe) let operands = unsafe GEMMOperands(
      rows: rows, a: workspace.base + input.offset, aStride: input.pixelStride,
      c: workspace.base + output.offset, cStride: output.pixelStride,
      epilogue: bounds.epilogue(residual: residual, in: workspace))
    guard !readsMap else { return unsafe matrix.multiply(operands, gelu: appliesGELU, on: team) }
    nonisolated(unsafe) let gathered = unsafe workspace.base + scratch
    nonisolated(unsafe) let x = unsafe UnsafePointer(workspace.base + input.offset)
    let perBlock = rowsPerBlock(for: output.shape)
    let blocks = (rows + perBlock - 1) / perBlock

    /// The operands for output pixels `block`, whose gathered inputs begin at `offset`.
    @Sendable func product(_ block: Range<Int>, gatheredAt offset: Int) -> GEMMOperands {
      var part = unsafe operands.rows(block)
      unsafe (part.a, part.aStride) = (UnsafePointer(gathered + offset), matrix.depth)
      return unsafe part
    }
    if isPrivate {
      let size = Workspace.aligned(perBlock * matrix.depth)
      team.forEach(blocks) { worker, index in
        let block = index * perBlock..<min((index + 1) * perBlock, rows)
        for row in block {
          unsafe gatherPixel(
            row, from: x, input, output.shape,
            into: gathered + worker * size + (row - block.lowerBound) * matrix.depth)
        }
        unsafe matrix.multiply(
          product(block, gatheredAt: worker * size), panels: 0..<matrix.panels, gelu: appliesGELU)
      }
    } else {
      for index in 0..<blocks {
        let block = index * perBlock..<min((index + 1) * perBlock, rows)
        unsafe gather(
          block, from: input, output: output.shape, into: gathered, in: workspace, on: team)
        unsafe matrix.multiply(product(block, gatheredAt: 0), gelu: appliesGELU, on: team)
      }
    }
  }

  /// Output pixels that one task gathers for the team.
  private static let pixelsPerTask = 64

  /// im2col: gathers the inputs of output pixels `rows`, in the order of the taps, with zeros
  /// outside the map.
  private func gather(
    _ rows: Range<Int>, from input: FeatureMap, output: Tensor.Shape,
    into gathered: UnsafeMutablePointer<Float>, in workspace: Workspace, on team: ThreadTeam
  ) {
    nonisolated(unsafe) let gathered = unsafe gathered
    nonisolated(unsafe) let x = unsafe UnsafePointer(workspace.base + input.offset)
    let tasks = (rows.count + Self.pixelsPerTask - 1) / Self.pixelsPerTask
    team.forEach(tasks) { _, task in
      let first = rows.lowerBound + task * Self.pixelsPerTask
      for row in first..<min(first + Self.pixelsPerTask, rows.upperBound) {
        unsafe gatherPixel(
          row, from: x, input, output, into: gathered + (row - rows.lowerBound) * matrix.depth)
      }
    }
  }

  private func gatherPixel(
    _ row: Int, from x: UnsafePointer<Float>, _ input: FeatureMap, _ output: Tensor.Shape,
    into destination: UnsafeMutablePointer<Float>
  ) {
    let (image, pixel) = row.quotientAndRemainder(dividingBy: output.area)
    let (outRow, outColumn) = pixel.quotientAndRemainder(dividingBy: output.width)
    let (height, width, channels) = (input.shape.height, input.shape.width, input.shape.channels)
    let top = outRow * geometry.stride - geometry.padding.top
    let left = outColumn * geometry.stride - geometry.padding.left
    let columns = max(left, 0)..<max(min(left + geometry.kernelWidth, width), max(left, 0))
    var out = unsafe destination
    for y in top..<top + geometry.kernelHeight {
      let line = geometry.kernelWidth * channels
      if y >= 0, y < height, !columns.isEmpty {
        let before = (columns.lowerBound - left) * channels
        let after = line - before - columns.count * channels
        unsafe out.update(repeating: 0, count: before)
        let source =
          unsafe x + ((image * height + y) * width + columns.lowerBound) * input.pixelStride
        if input.pixelStride == channels {
          unsafe (out + before).update(from: source, count: columns.count * channels)
        } else {
          for c in 0..<columns.count {
            unsafe (out + before + c * channels).update(
              from: source + c * input.pixelStride, count: channels)
          }
        }
        unsafe (out + line - after).update(repeating: 0, count: after)
      } else {
        unsafe out.update(repeating: 0, count: line)
      }
      unsafe out += line
    }
  }
}
