import CDepthSIMD

/// Self-attention in 32-bit floats.
@unsafe struct FloatAttention: AttentionProducts {
  let heads: AttentionHeads

  func begin(_ head: Int, queries: Range<Int>, worker: Int) {}
  func scales(worker: Int) -> UnsafePointer<Float>? { nil }

  /// Packs keys as panels of 64 × ``AttentionHeads/panelWidth``.
  func packKeys(_ head: Int, worker: Int) {
    let (width, stride, panelWidth) = unsafe (
      SelfAttention.headWidth, heads.xStride, heads.panelWidth
    )
    for first in unsafe Swift.stride(from: 0, to: heads.tokens, by: panelWidth) {
      unsafe heads.kernels.pointee.network.pack_panel(
        width, min(panelWidth, heads.tokens - first), heads.column(1, head) + first * stride,
        stride, 1, heads.keys(head) + first * width, panelWidth)
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
}
