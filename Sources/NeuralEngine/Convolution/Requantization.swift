import DepthBase

/// Per-channel requantization: converts a layer's 32-bit accumulators to its output.
struct Requantization: Sendable {
  /// The accumulators' initial values, 32-bit integers: −zero point · Σ weights.
  let initial: AlignedBuffer
  /// The factor of an accumulator, and the offset that is added to the product.
  let multiplier, offset: AlignedBuffer

  /// Allocates the channels, which ``set(_:sum:scale:bias:input:output:residual:)`` fills.
  init(channels: Int) {
    initial = AlignedBuffer(count: channels)
    multiplier = AlignedBuffer(count: channels)
    offset = AlignedBuffer(count: channels)
  }

  /// Sets one channel. Several threads may set different channels at once.
  ///
  /// - Parameters:
  ///   - sum: Sum of the channel's weights.
  ///   - scale: The scale of the channel's weights.
  ///   - input: The quantization of the input map.
  ///   - output: The quantization of the channel; `nil` for floats.
  ///   - residual: The quantization of the added map.
  func set(
    _ channel: Int, sum: Int, scale: Double, bias: Float, input: MapQuantization,
    output: MapQuantization?, residual: MapQuantization?
  ) {
    let sums = unsafe UnsafeMutableRawPointer(initial.base)
      .bindMemory(to: Int32.self, capacity: initial.count)
    unsafe sums[channel] = Int32(-Int(input.zeroPoint) * sum)
    let outputScale = output.map { Double($0.scale) } ?? 1
    var added = Double(bias) / outputScale
    added += output.map { Double($0.zeroPoint) } ?? 0
    if let residual {
      added -= Double(residual.zeroPoint) * Double(residual.scale) / outputScale
    }
    unsafe multiplier.base[channel] = Float(Double(input.scale) * scale / outputScale)
    unsafe offset.base[channel] = Float(added)
  }
}
