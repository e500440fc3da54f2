import CDepthSIMD
import DepthBase

/// Transformed kernels: one matrix, input channels × output channels, per position of a tile.
///
/// The matrices are stored in the order in which a worker reads them: panel by panel, and position by
/// position within a panel.
struct WinogradWeights: Sendable {
  /// Outputs per axis of a tile.
  let tile: Int
  /// Positions along each axis.
  let rows, columns: Int
  let inputChannels, outputChannels: Int
  let backend: GEMMBackend
  /// Output channels per panel; all channels with OpenBLAS, which packs weights itself.
  let panelWidth: Int
  private let storage: AlignedBuffer
  /// Floats before the first matrix in `storage`.
  private let first: Int

  /// One of the kernels that share a tile: the only 3×3 kernel, or one of an up-convolution's four kernels.
  struct Part {
    let kernelHeight, kernelWidth: Int
    /// The position of the kernel's first element in the tile.
    let firstRow, firstColumn: Int
    let kernels: KernelRows
  }

  var positions: Int { rows * columns }
  var panels: Int { (outputChannels + panelWidth - 1) / panelWidth }
  /// Bytes of all transformed kernels.
  var bytes: Int { count * MemoryLayout<Float>.stride }
  /// Floats of all transformed kernels, padding included.
  private var count: Int { panels * panelWidth * positions * inputChannels }

  /// The output channels of a panel.
  func channels(ofPanel panel: Int) -> Range<Int> {
    panel * panelWidth..<min((panel + 1) * panelWidth, outputChannels)
  }

  /// The matrix of one panel at its first position: input channels × the panel's output channels.
  func matrix(panel: Int) -> PackedWeights {
    PackedWeights(
      depth: inputChannels, columns: channels(ofPanel: panel).count, backend: backend,
      storage: storage, offset: offset(ofPanel: panel, position: 0))
  }

  /// Offset of the matrix of a panel and position in the storage, in floats.
  func offset(ofPanel panel: Int, position: Int) -> Int {
    first + (panel * positions + position) * inputChannels * panelWidth
  }

  /// The first element of a panel's matrix at a position.
  func start(ofPanel panel: Int, position: Int) -> UnsafePointer<Float> {
    unsafe UnsafePointer(storage.base) + offset(ofPanel: panel, position: position)
  }

  /// Reads and transforms kernels.
  ///
  /// - Parameter place: Memory for the kernels.
  /// - Throws: The errors of reading the kernels.
  init(
    tile: Int, rows: Int, columns: Int, inputChannels: Int, outputChannels: Int, parts: [Part],
    backend: GEMMBackend, place: WeightPlace, on team: ThreadTeam
  ) throws {
    (self.tile, self.rows, self.columns, self.backend) = (tile, rows, columns, backend)
    (self.inputChannels, self.outputChannels) = (inputChannels, outputChannels)
    let vectorPanel = unsafe Int(backend.kernels.pointee.network.panel_width)
    let vectorPanels = (outputChannels + vectorPanel - 1) / vectorPanel
    switch backend {
    case .packed: panelWidth = vectorPanel
    case .openBLAS, .fused: panelWidth = vectorPanels * vectorPanel
    }
    (storage, first) = place.storage(
      count: rows * columns * inputChannels * vectorPanels * vectorPanel)
    guard place.holdsWeights else { return }
    let weights = self
    try team.forEachThrowing(vectorPanels * parts.count) { task in
      try weights.transform(parts[task % parts.count], vectorPanel: task / parts.count)
    }
  }

  /// U = G · g · Gᵀ for one panel of output channels and all input channels.
  ///
  /// - Throws: Errors of reading the kernels.
  private func transform(_ part: Part, vectorPanel: Int) throws {
    let functions = unsafe backend.kernels.pointee
    let width = Int(functions.network.panel_width)
    let channels = vectorPanel * width..<min((vectorPanel + 1) * width, outputChannels)
    let kernels = try part.kernels(channels)
    let vertical = WinogradPoints(tile: tile, taps: part.kernelHeight)
    let horizontal = WinogradPoints(tile: tile, taps: part.kernelWidth)
    let (gRows, gColumns) = (vertical.kernelMatrix, horizontal.kernelMatrix)
    let taps = part.kernelHeight * part.kernelWidth
    let positionStride = inputChannels * panelWidth
    let (panel, lane) = (vectorPanel * width).quotientAndRemainder(dividingBy: panelWidth)
    let position = part.firstRow * columns + part.firstColumn
    let destination =
      unsafe storage.base + offset(ofPanel: panel, position: position) + lane
    // Gathers as many input channels as stay in the first-level cache, and transposes whole vectors.
    let block = min(Self.gatheredChannels, inputChannels)
    unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: block * taps * width) {
      gathered in
      unsafe kernels.withUnsafeBufferPointer { source in
        guard let source = source.baseAddress, let gathered = gathered.baseAddress else { return }
        for first in stride(from: 0, to: inputChannels, by: block) {
          let block = first..<min(first + block, inputChannels)
          unsafe functions.network.pack_panel(
            block.count * taps, channels.count, source + first * taps, inputChannels * taps, 1,
            gathered, width)
          for k in block {
            unsafe functions.network.winograd_kernel(
              part.kernelHeight, part.kernelWidth, vertical.count, horizontal.count, gRows,
              gColumns, gathered + (k - first) * taps * width, destination + k * panelWidth,
              columns * positionStride, positionStride)
          }
        }
      }
    }
  }

  /// Input channels whose kernels are gathered at a time.
  private static let gatheredChannels = 16
}
