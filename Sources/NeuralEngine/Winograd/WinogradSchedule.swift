/// How a layer's tiles are cut into blocks, and who works on a block.
///
/// A block's inputs are transformed once; then, panel by panel of output channels, they are multiplied at
/// every position and the products transformed back while they are in the cache. Where the transformed
/// weights are small, every worker takes blocks of its own; elsewhere the team shares one block at a time
/// and divides its panels, so that every weight is read once a block by one worker.
struct WinogradSchedule {
  let tiles: Int
  let tilesPerBlock: Int
  let isShared: Bool
  /// Tiles and panels whose products fit into the cache together: the more panels, the less often the
  /// transformed inputs are read, the more tiles, the less often the weights.
  let tilesPerChunk, panelsPerGroup: Int
  /// Of the transformed inputs.
  let inputStrides: Strides
  /// Floats of scratch: the transformed inputs of a block, and one worker's products of a panel.
  let inputFloats, productFloats: Int

  /// Floats from tile to tile and from position to position of a matrix tiles × channels.
  ///
  /// A tile's values at all positions are written together, and several tiles' values at one position are
  /// read together: with strides of a power of two they would all fall into the same set of the cache.
  struct Strides {
    let tile, position: Int

    init(tiles: Int, channels: Int) {
      tile = FeatureMap.pixelStride(forChannels: channels)
      position = Workspace.aligned(tiles * tile) + 16
    }
  }

  /// Transformed weights up to this many bytes are read again for every block of a worker.
  private static let privateWeights = 10 << 20
  /// Bytes of transformed inputs and products in a worker's own block.
  private static let privateBlock = 640 << 10
  /// Bytes of transformed inputs in a shared block.
  private static let sharedBlock = 16 << 20
  /// Bytes that one worker has in use while it multiplies: a chunk's transformed inputs and one panel's
  /// weights, both at one position, and the products of the chunk at all positions. A chunk takes as much
  /// as the second-level cache has; a group adds panels only where there is room to spare.
  private static let chunkBytes = 1152 << 10
  private static let groupBytes = 768 << 10
  /// Tiles of a chunk wanted: five of the product's row blocks. More would not read weights less often
  /// than blocks do.
  private static let chunkTiles = 60
  /// Panels of a group at most: there must be groups for all workers.
  private static let largestGroup = 4
  /// Blocks hold a whole number of the product's row blocks.
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
    // Blocks of equal size: the last one should not be a remnant.
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

  var blocks: Int { (tiles + tilesPerBlock - 1) / tilesPerBlock }

  /// The parts of a block that are multiplied one after the other.
  func chunks(of block: Range<Int>) -> [Range<Int>] {
    stride(from: block.lowerBound, to: block.upperBound, by: tilesPerChunk).map {
      $0..<min($0 + tilesPerChunk, block.upperBound)
    }
  }

  func tiles(ofBlock block: Int) -> Range<Int> {
    block * tilesPerBlock..<min((block + 1) * tilesPerBlock, tiles)
  }

  /// Floats of scratch for a team.
  func scratchCount(threads: Int) -> Int {
    inputFloats * (isShared ? 1 : threads) + productFloats * threads
  }
}

extension Workspace {
  /// `count` rounded up to whole cache lines.
  package static func aligned(_ count: Int) -> Int { (count + 15) / 16 * 16 }
}
