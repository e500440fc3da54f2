import Tensors

/// How a layer's tiles are cut into blocks, and who works on a block.
///
/// A block goes through three stages: transform its inputs, multiply, transform back. Where the
/// transformed weights fit into the second-level cache beside a block, every worker takes blocks of
/// its own through all three; elsewhere the team shares one block at a time, so that every weight is
/// read once a block by one worker.
struct WinogradSchedule {
  let tiles: Int
  let tilesPerBlock: Int
  let isShared: Bool
  /// Floats of scratch that one block under way needs: transformed inputs, then products.
  let inputFloats, productFloats: Int

  /// Transformed weights up to this many bytes are read again for every block of a worker.
  private static let privateWeights = 1 << 20
  /// Bytes of a worker's own block.
  private static let privateBlock = 512 << 10
  /// Bytes of a shared block.
  private static let sharedBlock = 24 << 20
  /// Private blocks hold a whole number of the product's row blocks.
  private static let rowMultiple = 12

  init(tiles: Int, positions: Int, inputChannels: Int, outputChannels: Int) {
    self.tiles = tiles
    let bytesPerTile = 4 * positions * (inputChannels + outputChannels)
    isShared = 4 * positions * inputChannels * outputChannels > Self.privateWeights
    let room = (isShared ? Self.sharedBlock : Self.privateBlock) / bytesPerTile
    let whole = max(room / Self.rowMultiple * Self.rowMultiple, Self.rowMultiple)
    // Blocks of equal size: the last one should not be a remnant.
    let blocks = (tiles + whole - 1) / whole
    tilesPerBlock = max((tiles + max(blocks, 1) - 1) / max(blocks, 1), 1)
    inputFloats = Workspace.aligned(positions * tilesPerBlock * inputChannels)
    productFloats = Workspace.aligned(positions * tilesPerBlock * outputChannels)
  }

  var blocks: Int { (tiles + tilesPerBlock - 1) / tilesPerBlock }

  func tiles(ofBlock block: Int) -> Range<Int> {
    block * tilesPerBlock..<min((block + 1) * tilesPerBlock, tiles)
  }

  /// Floats of scratch for a team.
  func scratchCount(threads: Int) -> Int {
    (inputFloats + productFloats) * (isShared ? 1 : threads)
  }
}

extension Workspace {
  /// `count` rounded up to whole cache lines.
  package static func aligned(_ count: Int) -> Int { (count + 15) / 16 * 16 }
}
