import CDepthSIMD

/// The products of self-attention in 32-bit floats.
@unsafe struct FloatAttention: AttentionProducts {
  static let floatsPerKey = SelfAttention.headWidth
  static let threadCount = 0

  let heads: AttentionHeads
  private let panelWidth: Int

  init(_ heads: AttentionHeads) {
    unsafe self.heads = heads
    unsafe panelWidth = Int(heads.kernels.pointee.network.panel_width)
  }

  func begin(_ head: Int, queries: Range<Int>, worker: Int) {}

  /// Panels of 64 × `panelWidth`.
  func packKeys(_ head: Int, worker: Int) {
    let (width, stride) = unsafe (SelfAttention.headWidth, heads.xStride)
    for first in unsafe Swift.stride(from: 0, to: heads.tokens, by: panelWidth) {
      unsafe heads.kernels.pointee.network.pack_panel(
        width, min(panelWidth, heads.tokens - first), heads.column(1, head) + first * stride,
        stride, 1, heads.keys(head) + first * width, panelWidth)
    }
  }

  /// For each block of keys, panels of keys × `panelWidth`.
  func packValues(_ head: Int, worker: Int) {
    let (width, stride) = unsafe (SelfAttention.headWidth, heads.xStride)
    let source = unsafe heads.column(2, head)
    for block in unsafe heads.keyBlocks {
      var out = unsafe heads.values(head) + block.lowerBound * width
      for panel in unsafe Swift.stride(from: 0, to: width, by: panelWidth) {
        for key in block {
          unsafe out.update(from: source + key * stride + panel, count: panelWidth)
          unsafe out += panelWidth
        }
      }
    }
  }

  func multiplyKeys(_ head: Int, queries: Range<Int>, keys block: Range<Int>, worker: Int) {
    let width = SelfAttention.headWidth
    var product = unsafe ck_gemm(
      rows: queries.count, depth: width, columns: block.count,
      a: heads.column(0, head) + queries.lowerBound * heads.xStride, a_stride: heads.xStride,
      b: heads.keys(head) + block.lowerBound * width, c: heads.memory(of: worker).scores,
      c_stride: SelfAttention.scoreStride, next_b: nil, next_a: nil, epilogue: ck_epilogue())
    unsafe heads.kernels.pointee.network.gemm(&product)
  }

  func makeShares(rows: Int, keys: Int, scales: UnsafePointer<Float>?, worker: Int) {
    var softmax = unsafe heads.memory(of: worker).softmax(rows: rows, keys: keys, scales: scales)
    unsafe heads.kernels.pointee.network.running_softmax(&softmax)
  }

  func addValues(_ head: Int, queries: Range<Int>, keys block: Range<Int>, worker: Int) {
    let width = SelfAttention.headWidth
    let memory = unsafe heads.memory(of: worker)
    var product = unsafe ck_gemm(
      rows: queries.count, depth: block.count, columns: width, a: memory.scores,
      a_stride: SelfAttention.scoreStride, b: heads.values(head) + block.lowerBound * width,
      c: memory.results, c_stride: width, next_b: nil, next_a: nil, epilogue: memory.adding)
    unsafe heads.kernels.pointee.network.gemm(&product)
  }
}
