import CDepthSIMD
import DepthBase

/// Self-attention with queries and keys quantized to 8 bits. Each query and each key has one scale, which is measured in
/// each run.
///
/// The mean of the keys is subtracted before quantization, which changes no softmax. Shares and values stay floats: a
/// quantized share of a thousandth of the largest share would be 0, but a thousand such shares matter.
///
/// > Source: J. Zhang et al. “SageAttention: Accurate 8-Bit Attention for Plug-and-play Inference Acceleration.” ICLR 2025.
/// > [arXiv:2410.02367](https://arxiv.org/abs/2410.02367), section 4.
@unsafe struct QuantizedAttention: AttentionProducts {
  /// Floats that hold the quantized channels of a head, four values per float.
  private static let quads = SelfAttention.headWidth / 4

  /// Floats per thread: quantized values and scales of a block of queries.
  static let threadCount = SelfAttention.queriesPerBlock * (quads + 1)

  let heads: AttentionHeads
  nonisolated(unsafe) private let kernels: UnsafePointer<ck_int8_kernels>
  private let panelWidth: Int

  init(_ heads: AttentionHeads, on set: Int8InstructionSet) {
    unsafe self.heads = heads
    unsafe kernels = set.kernels
    unsafe panelWidth = Int(kernels.pointee.panel_width)
  }

  /// The packed keys of one head, and two arrays with one number per key. They occupy less space than float keys.
  @unsafe private struct Keys {
    let panels, scales, initial: UnsafeMutablePointer<Float>
  }

  private func keys(_ head: Int) -> Keys {
    let tokens = unsafe (heads.tokens + 31) / 32 * 32
    let panels = unsafe heads.keys(head)
    let scales = unsafe panels + tokens * Self.quads
    return unsafe Keys(panels: panels, scales: scales, initial: scales + tokens)
  }

  /// Packs keys as panels of 16 quads of channels × `panelWidth` keys.
  func packKeys(_ head: Int, worker: Int) {
    let (tokens, quads) = unsafe (heads.tokens, Self.quads)
    let keys = unsafe keys(head)
    // Values are packed later, so the quantized values of all keys, key by key, use their space.
    let rows = unsafe heads.values(head)
    let mean = unsafe heads.memory(of: worker).scores
    unsafe keys.initial.withMemoryRebound(to: Int32.self, capacity: tokens) { initial in
      unsafe rows.withMemoryRebound(to: Int8.self, capacity: tokens * 4 * quads) { quantized in
        var call = unsafe ck_quantized_keys(
          rows: tokens, columns: 4 * quads, x: heads.column(1, head), stride: heads.xStride,
          mean: mean, quantized: quantized, scales: keys.scales, initial: initial)
        unsafe kernels.pointee.quantize_keys(&call)
      }
    }
    // Quads are moved like floats, since float panels are not wider.
    let floatPanel = unsafe heads.panelWidth
    for first in unsafe stride(from: 0, to: tokens, by: panelWidth) {
      let count = unsafe min(panelWidth, tokens - first)
      for column in unsafe stride(from: 0, to: panelWidth, by: floatPanel) {
        unsafe heads.kernels.pointee.network.pack_panel(
          quads, min(floatPanel, max(count - column, 0)), rows + (first + column) * quads, quads,
          1, keys.panels + first * quads + column, panelWidth)
      }
    }
  }

  /// The quantized values of a block of queries, and their scales.
  private func queries(
    _ worker: Int
  ) -> (quantized: UnsafeMutablePointer<Float>, scales: UnsafeMutablePointer<Float>) {
    let quantized = unsafe heads.memory(of: worker).own
    return unsafe (quantized, quantized + SelfAttention.queriesPerBlock * Self.quads)
  }

  func begin(_ head: Int, queries block: Range<Int>, worker: Int) {
    let bytes = unsafe 4 * Self.quads
    let (quantized, scales) = unsafe queries(worker)
    unsafe quantized.withMemoryRebound(to: UInt8.self, capacity: block.count * bytes) { quantized in
      unsafe kernels.pointee.quantize_tokens(
        block.count, bytes, heads.column(0, head) + block.lowerBound * heads.xStride,
        heads.xStride, quantized, bytes, scales)
    }
  }

  func multiplyKeys(_ head: Int, queries: Range<Int>, keys block: Range<Int>, worker: Int) {
    let (keys, quads, first) = unsafe (keys(head), Self.quads, block.lowerBound)
    let scales = unsafe UnsafePointer(keys.scales + first)
    // Scores are products of scales alone, so unused pointers may have any value.
    let sums = unsafe ck_int8_epilogue(
      multiplier: scales, offset: scales, lower_bound: scales, residual: nil,
      residual_pixel_stride: 0, residual_line_stride: 0, residual_scale: 0,
      added: nil, added_pixel_stride: 0, added_line_stride: 0, upper_bound: 0,
      quantization_factor: 0, quantization_offset: 0, lower_is_zero: false)
    unsafe withUnsafePointer(to: 0) { offset in
      var call = unsafe ck_int8_convolution(
        lines: 1, pixels: queries.count, columns: block.count, segments: 1, quads: quads,
        x: UnsafeRawPointer(self.queries(worker).quantized).assumingMemoryBound(to: UInt8.self),
        x_pixel_stride: 4 * quads, x_line_stride: 0, offsets: offset,
        weights: UnsafeRawPointer(keys.panels + first * quads).assumingMemoryBound(to: Int8.self),
        initial: UnsafeRawPointer(keys.initial + first).assumingMemoryBound(to: Int32.self),
        y: heads.memory(of: worker).scores, y_pixel_stride: SelfAttention.scoreStride,
        y_line_stride: 0, writes_floats: true, epilogue: sums,
        tokens: ck_token_epilogue(applies: true, scales: nil, added: nil, added_stride: 0))
      unsafe kernels.pointee.convolution(&call)
    }
  }

  func scales(worker: Int) -> UnsafePointer<Float>? {
    unsafe UnsafePointer(queries(worker).scales)
  }
}
