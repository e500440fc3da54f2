import CDepthSIMD
import ThreadTeams

/// Transformed kernels: one matrix, input channels × output channels, for every position of a tile.
///
/// They stand panel by panel, and within a panel position by position: that is the order in which a worker
/// reads them.
struct WinogradWeights: Sendable {
  let tile: Int
  /// Positions along each axis.
  let rows, columns: Int
  let inputChannels, outputChannels: Int
  let products: Products
  /// Output channels of a panel; all of them with OpenBLAS, which packs as it likes.
  let panelWidth: Int
  private let storage: AlignedBuffer

  /// One kernel of the set that shares a tile: 3×3 alone, or the four of an up-convolution.
  struct Part {
    let kernelHeight, kernelWidth: Int
    /// Where its positions begin.
    let firstRow, firstColumn: Int
    let kernels: KernelRows
  }

  var positions: Int { rows * columns }
  var panels: Int { (outputChannels + panelWidth - 1) / panelWidth }
  /// Bytes of all transformed kernels.
  var bytes: Int { storage.count * MemoryLayout<Float>.stride }

  /// The output channels of a panel.
  func channels(ofPanel panel: Int) -> Range<Int> {
    panel * panelWidth..<min((panel + 1) * panelWidth, outputChannels)
  }

  /// The matrix of one panel at its first position: input channels × the panel's output channels.
  func matrix(panel: Int) -> Matrix {
    Matrix(
      depth: inputChannels, columns: channels(ofPanel: panel).count, products: products,
      storage: storage, offset: offset(ofPanel: panel, position: 0))
  }

  /// Where the matrix of a panel and position begins in the storage.
  func offset(ofPanel panel: Int, position: Int) -> Int {
    (panel * positions + position) * inputChannels * panelWidth
  }

  /// The first element of that matrix.
  func start(ofPanel panel: Int, position: Int) -> UnsafePointer<Float> {
    UnsafePointer(storage.base) + offset(ofPanel: panel, position: position)
  }

  init(
    tile: Int, rows: Int, columns: Int, inputChannels: Int, outputChannels: Int, parts: [Part],
    products: Products, on team: ThreadTeam
  ) throws {
    (self.tile, self.rows, self.columns, self.products) = (tile, rows, columns, products)
    (self.inputChannels, self.outputChannels) = (inputChannels, outputChannels)
    let vectorPanel = Int(products.kernels.pointee.network.panel_width)
    let vectorPanels = (outputChannels + vectorPanel - 1) / vectorPanel
    switch products {
    case .packed: panelWidth = vectorPanel
    case .openBLAS: panelWidth = vectorPanels * vectorPanel
    }
    storage = AlignedBuffer(count: rows * columns * inputChannels * vectorPanels * vectorPanel)
    let weights = self
    try team.forEachThrowing(vectorPanels * parts.count) { task in
      try weights.transform(parts[task % parts.count], vectorPanel: task / parts.count)
    }
  }

  /// U = G · g · Gᵀ for as many output channels as the kernel transforms at a time, and all input channels.
  private func transform(_ part: Part, vectorPanel: Int) throws {
    let functions = products.kernels.pointee
    let width = Int(functions.network.panel_width)
    let channels = vectorPanel * width..<min((vectorPanel + 1) * width, outputChannels)
    let kernels = try part.kernels(channels)
    let vertical = WinogradPoints(tile: tile, taps: part.kernelHeight)
    let horizontal = WinogradPoints(tile: tile, taps: part.kernelWidth)
    let (gRows, gColumns) = (vertical.kernelMatrix, horizontal.kernelMatrix)
    let taps = part.kernelHeight * part.kernelWidth
    let positionStride = inputChannels * panelWidth
    let (panel, lane) = (vectorPanel * width).quotientAndRemainder(dividingBy: panelWidth)
    let first = part.firstRow * columns + part.firstColumn
    let destination = storage.base + (panel * positions + first) * positionStride + lane
    withUnsafeTemporaryAllocation(of: Float.self, capacity: taps * width) { gathered in
      kernels.withUnsafeBufferPointer { source in
        guard let source = source.baseAddress, let gathered = gathered.baseAddress else { return }
        for k in 0..<inputChannels {
          functions.network.pack_panel(
            taps, channels.count, source + k * taps, inputChannels * taps, 1, gathered, width)
          functions.network.winograd_kernel(
            part.kernelHeight, part.kernelWidth, vertical.count, horizontal.count, gRows, gColumns,
            gathered, destination + k * panelWidth, columns * positionStride, positionStride)
        }
      }
    }
  }
}
