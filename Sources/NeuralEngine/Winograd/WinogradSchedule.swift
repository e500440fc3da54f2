/// The division of a layer's tiles into blocks, and of the blocks among workers.
///
/// The inputs of a block are transformed once. For each panel of output channels, the inputs are
/// then multiplied at all positions, and the products are transformed back in the cache. If
/// transformed weights are small, each worker processes its own blocks. Otherwise the team shares
/// one block at a time and divides its panels, so that each weight is read once per block.
struct WinogradSchedule {
  /// Tiles of the whole batch.
  let tiles: Int
  let tilesPerBlock: Int
  /// Whether the team shares each block.
  let isShared: Bool
  /// Tiles and panels whose products fit the cache together. More panels save reads of inputs, and
  /// more tiles save reads of weights.
  let tilesPerChunk, panelsPerGroup: Int
  /// Strides of the transformed inputs.
  let inputStrides: Strides
  /// Floats of scratch for the transformed inputs of a block, and for one worker's products.
  let inputFloats, productFloats: Int

  /// Strides of the matrices tiles × channels, from tile to tile and from position to position, in
  /// floats.
  ///
  /// One tile's values at all positions are written together, and several tiles at one position are
  /// read together. Powers of two would map these values to the same cache set.
  struct Strides {
    let tile, position: Int

    init(tiles: Int, channels: Int) {
      tile = FeatureMap.pixelStride(forChannels: channels)
      position = Workspace.aligned(tiles * tile) + 16
    }
  }

  /// Largest transformed weights, in bytes, that each worker rereads for each of its blocks.
  private static let privateWeights = 10 << 20
  /// Bytes of transformed inputs and products in a worker's own block.
  private static let privateBlock = 640 << 10
  /// Bytes of transformed inputs in a shared block.
  private static let sharedBlock = 16 << 20
  /// Bytes that a worker uses during a product: a chunk's inputs and a panel's weights at one
  /// position, and the chunk's products at all positions. A chunk may fill the second-level cache.
  /// A group has more than one panel only if there is room.
  private static let chunkBytes = 1152 << 10
  private static let groupBytes = 768 << 10
  /// Tiles per chunk of a shared block: five row blocks of the GEMM kernel. Larger chunks would not
  /// save reads of weights.
  private static let chunkTiles = 60
  /// Maximum panels per group, so that there are enough groups for all workers.
  private static let largestGroup = 4
  /// Rows per row block of the GEMM kernel. Blocks and chunks are multiples of this number.
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
    // Blocks of equal size, without a small remainder.
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
    // A private block's inputs are already in the cache.
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

  /// Floats of scratch that a team requires.
  func scratchCount(threads: Int) -> Int {
    inputFloats * (isShared ? 1 : threads) + productFloats * threads
  }
}
