import CDepthSIMD

/// The products of self-attention in 32-bit floats.
@unsafe struct FloatAttention: AttentionProducts {
  /// Columns of a panel with the widest vectors.
  private static let widestPanel = 32
  static let threadCount = 0

  let heads: AttentionHeads
  private let panelWidth: Int
  private let headCount: Int

  init(_ attention: SelfAttention, _ run: LayerRun, image: Int) {
    unsafe headCount = Self.headCount(tokens: run.input.shape.area)
    unsafe heads = AttentionHeads(
      attention, run, image: image, headCount: headCount, ownCount: Self.threadCount)
    unsafe panelWidth = Int(heads.kernels.pointee.network.panel_width)
  }

  static func headCount(tokens: Int) -> Int {
    unsafe 2 * ((tokens + widestPanel - 1) / widestPanel * widestPanel * SelfAttention.headWidth)
  }

  private func keys(_ head: Int) -> UnsafeMutablePointer<Float> {
    unsafe heads.packed + head * headCount
  }
  private func values(_ head: Int) -> UnsafeMutablePointer<Float> {
    unsafe keys(head) + headCount / 2
  }

  func begin(_ head: Int, queries: Range<Int>, worker: Int) {}
  func take(row: Int, count: Int, worker: Int) {}

  /// Keys as panels of 64 × `panelWidth`, and the values of each block of keys as panels of keys × `panelWidth`.
  func pack(_ head: Int, worker: Int) {
    let (width, stride) = unsafe (SelfAttention.headWidth, heads.xStride)
    for first in unsafe Swift.stride(from: 0, to: heads.tokens, by: panelWidth) {
      unsafe heads.kernels.pointee.network.pack_panel(
        width, min(panelWidth, heads.tokens - first), heads.column(1, head) + first * stride,
        stride, 1, keys(head) + first * width, panelWidth)
    }
    let source = unsafe heads.column(2, head)
    for block in unsafe heads.keyBlocks {
      var out = unsafe values(head) + block.lowerBound * width
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
      b: keys(head) + block.lowerBound * width, c: heads.memory(of: worker).scores,
      c_stride: SelfAttention.scoreStride, next_b: nil, next_a: nil, epilogue: ck_epilogue())
    unsafe heads.kernels.pointee.network.gemm(&product)
  }

  func addValues(_ head: Int, queries: Range<Int>, keys block: Range<Int>, worker: Int) {
    let width = SelfAttention.headWidth
    let memory = unsafe heads.memory(of: worker)
    // Each result is read just before it is written.
    var sum = unsafe ck_epilogue()
    unsafe (sum.residual, sum.residual_stride) = (UnsafePointer(memory.results), width)
    var product = unsafe ck_gemm(
      rows: queries.count, depth: block.count, columns: width, a: memory.scores,
      a_stride: SelfAttention.scoreStride, b: values(head) + block.lowerBound * width,
      c: memory.results, c_stride: width, next_b: nil, next_a: nil, epilogue: sum)
    unsafe heads.kernels.pointee.network.gemm(&product)
  }
}
