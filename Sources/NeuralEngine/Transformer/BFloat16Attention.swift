import CDepthSIMD
import DepthBase

/// The products of self-attention in bfloat16: queries, keys, the softmax's results and values are rounded, and sums are 32-bit floats.
///
/// A product is a convolution of 1 × 1: its pixels are the queries, its columns the keys, or the channels of the values.
@unsafe struct BFloat16Attention: AttentionProducts {
  /// Channels of a head, and keys of a block, in pairs of bfloat16 that take the place of one float.
  private static let (channelPairs, keyPairs) = (
    SelfAttention.headWidth / 2, SelfAttention.keysPerBlock / 2
  )
  /// Floats from one query's rounded shares to the next one's; as for the scores, not a power of two.
  private static let shareStride = keyPairs + 16

  static let floatsPerKey = channelPairs
  /// Rounded queries, and rounded shares of a block.
  static let threadCount = SelfAttention.queriesPerBlock * (channelPairs + shareStride)

  let heads: AttentionHeads
  nonisolated(unsafe) private let kernels: UnsafePointer<ck_bfloat16_kernels>
  private let panelWidth: Int

  init(_ heads: AttentionHeads, on set: BFloat16InstructionSet) {
    unsafe self.heads = heads
    unsafe kernels = set.kernels
    unsafe panelWidth = Int(kernels.pointee.panel_width)
  }

  /// Pairs of a block's keys and of zeros, in whole tiles: of a product's depth AMX multiplies only a divisor at once.
  private static func pairs(ofKeys count: Int) -> Int { (count + 31) / 32 * 16 }

  /// Rounds `count` floats.
  private func round(
    _ x: UnsafePointer<Float>, count: Int, to y: UnsafeMutablePointer<Float>
  ) {
    unsafe y.withMemoryRebound(to: UInt16.self, capacity: count) { halves in
      unsafe kernels.pointee.round(count, x, halves)
    }
  }

  /// Panels of 32 pairs of channels × `panelWidth` keys.
  func packKeys(_ head: Int, worker: Int) {
    let pairs = unsafe Self.channelPairs
    let rows = unsafe heads.memory(of: worker).own
    let source = unsafe heads.column(1, head)
    // Pairs move like floats; the panels of floats are not wider.
    let floatPanel = unsafe Int(heads.kernels.pointee.network.panel_width)
    for first in unsafe stride(from: 0, to: heads.tokens, by: panelWidth) {
      let count = unsafe min(panelWidth, heads.tokens - first)
      for key in 0..<count {
        unsafe round(
          source + (first + key) * heads.xStride, count: 2 * pairs, to: rows + key * pairs)
      }
      for column in unsafe stride(from: 0, to: panelWidth, by: floatPanel) {
        unsafe heads.kernels.pointee.network.pack_panel(
          pairs, min(floatPanel, max(count - column, 0)), rows + column * pairs, pairs, 1,
          heads.keys(head) + first * pairs + column, panelWidth)
      }
    }
  }

  /// For each block of keys, panels of pairs of keys × `panelWidth` channels.
  func packValues(_ head: Int, worker: Int) {
    let source = unsafe heads.column(2, head)
    for block in unsafe heads.keyBlocks {
      let out = unsafe heads.values(head) + block.lowerBound * Self.channelPairs
      let pairs = unsafe Self.pairs(ofKeys: block.count)
      let count = 2 * pairs * SelfAttention.headWidth
      unsafe out.withMemoryRebound(to: UInt16.self, capacity: count) { panels in
        unsafe kernels.pointee.pack_pairs(
          block.count, pairs, SelfAttention.headWidth, source + block.lowerBound * heads.xStride,
          heads.xStride, panels)
      }
    }
  }

  func begin(_ head: Int, queries: Range<Int>, worker: Int) {
    let rows = unsafe heads.memory(of: worker).own
    for (row, query) in queries.enumerated() {
      unsafe round(
        heads.column(0, head) + query * heads.xStride, count: SelfAttention.headWidth,
        to: rows + row * Self.channelPairs)
    }
  }

  func multiplyKeys(_ head: Int, queries: Range<Int>, keys block: Range<Int>, worker: Int) {
    let memory = unsafe heads.memory(of: worker)
    unsafe multiply(
      rows: queries.count, pairs: Self.channelPairs, columns: block.count, x: memory.own,
      xStride: Self.channelPairs,
      panels: heads.keys(head) + block.lowerBound * Self.channelPairs,
      y: memory.scores, yStride: SelfAttention.scoreStride, epilogue: ck_epilogue())
  }

  private func shares(_ memory: AttentionHeads.Memory) -> UnsafeMutablePointer<Float> {
    unsafe memory.own + SelfAttention.queriesPerBlock * Self.channelPairs
  }

  func makeShares(rows: Int, keys: Int, scales: UnsafePointer<Float>?, worker: Int) {
    let memory = unsafe heads.memory(of: worker)
    var softmax = unsafe memory.softmax(rows: rows, keys: keys, scales: scales)
    let stride = unsafe 2 * Self.shareStride
    unsafe (softmax.share_stride, softmax.share_columns) = (stride, 2 * Self.pairs(ofKeys: keys))
    unsafe shares(memory).withMemoryRebound(to: UInt16.self, capacity: rows * stride) {
      unsafe softmax.shares = $0
      unsafe kernels.pointee.running_softmax(&softmax)
    }
  }

  func addValues(_ head: Int, queries: Range<Int>, keys block: Range<Int>, worker: Int) {
    let width = SelfAttention.headWidth
    let memory = unsafe heads.memory(of: worker)
    unsafe multiply(
      rows: queries.count, pairs: Self.pairs(ofKeys: block.count), columns: width,
      x: shares(memory), xStride: Self.shareStride,
      panels: heads.values(head) + block.lowerBound * Self.channelPairs, y: memory.results,
      yStride: width, epilogue: memory.adding)
  }

  /// The product of rows of pairs and panels.
  private func multiply(
    rows: Int, pairs: Int, columns: Int, x: UnsafePointer<Float>, xStride: Int,
    panels: UnsafePointer<Float>, y: UnsafeMutablePointer<Float>, yStride: Int,
    epilogue: ck_epilogue
  ) {
    unsafe withUnsafePointer(to: 0) { offset in
      var product = unsafe ck_bfloat16_convolution(
        lines: 1, pixels: rows, columns: columns, segments: 1, pairs: pairs,
        x: UnsafeRawPointer(x).assumingMemoryBound(to: UInt8.self), x_pixel_stride: 4 * xStride,
        x_line_stride: 0, offsets: offset,
        weights: UnsafeRawPointer(panels).assumingMemoryBound(to: UInt16.self), y: y,
        y_pixel_stride: yStride, y_line_stride: 0, epilogue: epilogue, residual_line_stride: 0)
      unsafe kernels.pointee.convolution(&product)
    }
  }
}
