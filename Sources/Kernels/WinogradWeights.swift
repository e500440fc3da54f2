import CKernels

/// Transformed kernels: one matrix, input channels × output channels, for every position of a tile.
struct WinogradWeights: Sendable {
  let tile: Int
  /// Positions along each axis.
  let rows, columns: Int
  let matrices: [Matrix]

  /// One kernel of the set that shares a tile: 3×3 alone, or the four of an up-convolution.
  struct Part {
    let kernelHeight, kernelWidth: Int
    /// Where its positions begin.
    let firstRow, firstColumn: Int
    let kernels: KernelRows
  }

  init(
    tile: Int, rows: Int, columns: Int, inputChannels: Int, outputChannels: Int, parts: [Part],
    products: Products, on team: ThreadTeam
  ) throws {
    (self.tile, self.rows, self.columns) = (tile, rows, columns)
    let size = Matrix.count(depth: inputChannels, columns: outputChannels, products: products)
    let storage = AlignedBuffer(count: size * rows * columns)
    let matrices = (0..<rows * columns).map {
      Matrix(
        depth: inputChannels, columns: outputChannels, products: products, storage: storage,
        offset: $0 * size)
    }
    self.matrices = matrices
    let panels = matrices[0].panels
    try team.forEachThrowing(panels * parts.count) { task in
      let part = parts[task % parts.count]
      let panel = task / parts.count
      try Self.transform(
        part, tile: tile, of: matrices[0], panel: panel, positionColumns: columns,
        positionStride: size)
    }
  }

  /// U = G · g · Gᵀ for one panel's output channels and all input channels.
  private static func transform(
    _ part: Part, tile: Int, of matrix: Matrix, panel: Int, positionColumns: Int,
    positionStride: Int
  ) throws {
    let channels = matrix.columns(ofPanel: panel)
    let kernels = try part.kernels(channels)
    let vertical = WinogradPoints(tile: tile, taps: part.kernelHeight)
    let horizontal = WinogradPoints(tile: tile, taps: part.kernelWidth)
    let (gRows, gColumns) = (vertical.kernelMatrix, horizontal.kernelMatrix)
    let functions = matrix.products.kernels.pointee
    let taps = part.kernelHeight * part.kernelWidth
    let firstPosition = part.firstRow * positionColumns + part.firstColumn
    let destination = matrix.panel(panel) + firstPosition * positionStride
    withUnsafeTemporaryAllocation(of: Float.self, capacity: taps * matrix.panelWidth) { gathered in
      kernels.withUnsafeBufferPointer { source in
        guard let source = source.baseAddress, let gathered = gathered.baseAddress else { return }
        for k in 0..<matrix.depth {
          functions.pack_panel(
            taps, channels.count, source + k * taps, matrix.depth * taps, 1, gathered,
            matrix.panelWidth)
          functions.winograd_kernel(
            part.kernelHeight, part.kernelWidth, vertical.count, horizontal.count, gRows, gColumns,
            gathered, destination + k * matrix.rowStride, positionColumns * positionStride,
            positionStride)
        }
      }
    }
  }
}
