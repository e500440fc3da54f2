/// The division of a layer's tiles into blocks, and of the blocks among workers.
///
/// The inputs of a block are transformed once. Then, for one panel of output channels after the
/// other, they are multiplied at all positions and the products are transformed back while they are
/// in the cache. Where the transformed weights are small, each worker takes blocks of its own;
/// otherwise the team shares one block at a time and divides its panels, so that each weight is
/// read once per block, by one worker.
struct WinogradSchedule {
  /// Tiles of the whole batch.
  let tiles: Int
  let tilesPerBlock: Int
  /// Whether the team shares each block.
  let isShared: Bool
  /// Tiles and panels whose products fit into the cache together. More panels read the transformed
  /// inputs less often, more tiles the weights.
  let tilesPerChunk, panelsPerGroup: Int
  /// Strides of the transformed inputs.
  let inputStrides: Strides
  /// Floats of scratch for the transformed inputs of a block, and for one worker's products.
  let inputFloats, productFloats: Int

  /// Floats from tile to tile and from position to position of the matrices tiles × channels.
  ///
  /// The values of one tile at all positions are written together, and those of several tiles at
  /// one position are read together. With strides of a power of two they would all map to the same
  /// set of the cache.
  struct Strides {
    let tile, position: Int

    init(tiles: Int, channels: Int) {
      tile = FeatureMap.pixelStride(forChannels: channels)
      position = Workspace.aligned(tiles * tile) + 16
    }
  }

  /// Largest transformed weights, in bytes, that each worker reads again for each of its blocks.
  private static let privateWeights = 10 << 20
  /// Bytes of transformed inputs and products in a worker's own block.
  private static let privateBlock = 640 << 10
  /// Bytes of transformed inputs in a shared block.
  private static let sharedBlock = 16 << 20
  /// Bytes that a worker uses while it multiplies: a chunk's transformed inputs and a panel's
  /// weights at one position, and the chunk's products at all positions. A chunk may fill the
  /// second-level cache; a group gets more than one panel only where there is room left.
  private static let chunkBytes = 1152 << 10
  private static let groupBytes = 768 << 10
  /// Tiles per chunk of a shared block: five row blocks of the GEMM kernel. Larger chunks would not
  /// reduce how often weights are read.
  private static let chunkTiles = 60
  /// Largest number of panels per group, so that there are enough groups for all workers.
  private static let largestGroup = 4
  /// Rows per row block of the GEMM kernel; blocks and chunks hold a multiple.
  private static let rowMultiple = 12

  init(tiles: Int, weights: WinogradWeights) {
    self.tiles = tiles
    isShared = weights.bytes > Self.privateWeights
    let inputBytes = 4 * weights.positions * weights.inputChannels
    let room =
      isShared
      ? Self.sharedBlock / inputBytes
      : Self.privateBlock / (inputBytes + 4 * weights.positions * weights.panelWidth)
    let whole = max(room / Self.rowMultiple * Self.rowMultiple, Self.rowMultiple)
    // Blocks of equal size, so that the last one is not a small remainder.
    let blocks = max((tiles + whole - 1) / whole, 1)
    tilesPerBlock = max((tiles + blocks - 1) / blocks, 1)
    let panelBytes = 4 * weights.positions * weights.panelWidth
    let rowBytes = 4 * weights.inputChannels
    let matrixBytes = rowBytes * weights.panelWidth
    let fitting = min(
      (Self.chunkBytes - matrixBytes) / (panelBytes + rowBytes),
      isShared ? Self.chunkTiles : tilesPerBlock)
    let wholeChunk = max(fitting / Self.rowMultiple * Self.rowMultiple, Self.rowMultiple)
    let chunks = (tilesPerBlock + wholeChunk - 1) / wholeChunk
    tilesPerChunk = (tilesPerBlock + chunks - 1) / chunks
    // A private block's inputs are in the cache already.
    let roomForGroup = Self.groupBytes - matrixBytes - rowBytes * tilesPerChunk
    panelsPerGroup =
      isShared ? min(max(roomForGroup / (panelBytes * tilesPerChunk), 1), Self.largestGroup) : 1
    inputStrides = Strides(tiles: tilesPerBlock, channels: weights.inputChannels)
    inputFloats = weights.positions * inputStrides.position
    productFloats =
      weights.positions
      * Strides(tiles: tilesPerChunk, channels: panelsPerGroup * weights.panelWidth).position
  }

  /// Number of blocks.
  var blocks: Int { (tiles + tilesPerBlock - 1) / tilesPerBlock }

  /// The chunks of a block, which are multiplied one after the other.
  func chunks(of block: Range<Int>) -> [Range<Int>] {
    stride(from: block.lowerBound, to: block.upperBound, by: tilesPerChunk).map {
      $0..<min($0 + tilesPerChunk, block.upperBound)
    }
  }

  /// The tiles of one block.
  func tiles(ofBlock block: Int) -> Range<Int> {
    block * tilesPerBlock..<min((block + 1) * tilesPerBlock, tiles)
  }

  /// Floats of scratch that a team needs.
  func scratchCount(threads: Int) -> Int {
    inputFloats * (isShared ? 1 : threads) + productFloats * threads
  }
}
