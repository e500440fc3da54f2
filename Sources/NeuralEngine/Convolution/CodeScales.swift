import DepthBase

/// What makes a result of each output channel's sum of products of quantized values.
struct CodeScales: Sendable {
  /// −zero point · Σ codes, 32-bit integers: what sums begin with.
  let initial: AlignedBuffer
  /// What sums are multiplied by, and what is added.
  let multiplier, offset: AlignedBuffer

  /// Room for some channels; ``set(_:sum:step:bias:input:output:residual:)`` fills it.
  init(channels: Int) {
    initial = AlignedBuffer(count: channels)
    multiplier = AlignedBuffer(count: channels)
    offset = AlignedBuffer(count: channels)
  }

  /// Fills in one channel; several threads may do so for different ones.
  ///
  /// - Parameters:
  ///   - sum: Of the channel's weights.
  ///   - step: The scale of its weights.
  ///   - input: The quantization of the map that is read.
  ///   - output: The quantization of the channel; `nil` for floats.
  ///   - residual: The quantization of the map that is added.
  func set(
    _ channel: Int, sum: Int, step: Double, bias: Float, input: MapCodes, output: MapCodes?,
    residual: MapCodes?
  ) {
    let sums = unsafe UnsafeMutableRawPointer(initial.base)
      .bindMemory(to: Int32.self, capacity: initial.count)
    unsafe sums[channel] = Int32(-Int(input.zeroPoint) * sum)
    let scale = output.map { Double($0.step) } ?? 1
    var added = Double(bias) / scale
    added += output.map { Double($0.zeroPoint) } ?? 0
    if let residual {
      added -= Double(residual.zeroPoint) * Double(residual.step) / scale
    }
    unsafe multiplier.base[channel] = Float(Double(input.step) * step / scale)
    unsafe offset.base[channel] = Float(added)
  }
}
