package import DepthBase

/// The algorithm of a convolution. ``best(for:input:bfloat16:addsMap:)`` is the only place that chooses.
package enum ConvolutionAlgorithm: Sendable, Hashable, CustomStringConvertible {
  /// One matrix product straight from the map, for 1×1 kernels.
  case pointwise
  /// One matrix product of gathered inputs, one row per output pixel.
  case im2col
  /// Winograd's algorithm in tiles of `tile` × `tile` outputs, for 3×3 kernels of stride 1 (Lavin &
  /// Gray 2016).
  case winograd(tile: Int)
  /// Nine products per pixel and channel, then their shifted sums, for 3×3 kernels with one or two output channels.
  case tapSum
  /// The direct form, with the map and the weights rounded to bfloat16.
  case bfloat16(BFloat16InstructionSet)

  package var description: String {
    switch self {
    case .pointwise: "1×1"
    case .im2col: "im2col"
    case .winograd(let tile): "winograd \(tile)"
    case .tapSum: "tap sum"
    case .bfloat16: "bfloat16"
    }
  }

  /// The algorithm for one layer.
  ///
  /// - Parameters:
  ///   - geometry: The layer's kernel and channels.
  ///   - input: The usual shape of the input; the algorithm accepts others.
  ///   - bfloat16: That of bfloat16, where the layer may be rounded.
  ///   - addsMap: Whether a map is added to the result, which a sum of taps cannot.
  package static func best(
    for geometry: ConvolutionGeometry, input: Tensor.Shape,
    bfloat16: BFloat16InstructionSet? = nil, addsMap: Bool = false
  ) -> ConvolutionAlgorithm {
    let possible = applicable(to: geometry).filter { !addsMap || $0 != .tapSum }
    var best = possible[0]
    if possible.contains(.winograd(tile: 2)) {
      best = .winograd(tile: WinogradTiles.size(pixels: input.area))
    }
    if let bfloat16, best.isSlower(thanBFloat16: bfloat16, of: geometry.inputChannels) {
      return .bfloat16(bfloat16)
    }
    return best
  }

  /// The algorithm for the four convolutions of an up-convolution.
  package static func best(forUpConvolution input: Tensor.Shape) -> ConvolutionAlgorithm {
    .winograd(tile: WinogradTiles.size(pixels: input.area))
  }

  /// Whether the direct form in bfloat16 beats an algorithm in 32-bit floats; `Documentation/Accuracy.md` has the
  /// measurements.
  ///
  /// VDPBF16PS multiplies twice as fast as a 32-bit FMA. Other direct forms take twice as long. Winograd's F(2) multiplies 2.25
  /// times less, reads 3.6 times the weights' bytes and takes about as long or longer. F(4) multiplies four times less; only for
  /// few channels its transforms make it slower. Tiles multiply 16 times as fast. Outputs one or two
  /// columns wide gain from neither.
  ///
  private func isSlower(thanBFloat16 set: BFloat16InstructionSet, of inputChannels: Int) -> Bool {
    switch self {
    case .tapSum, .bfloat16: false
    case .pointwise, .im2col: true
    case .winograd(let tile): set.hasTiles || tile == 2 || inputChannels <= 32
    }
  }

  /// All algorithms in 32-bit floats that can compute a convolution. The first is the best where Winograd's does not
  /// apply.
  static func applicable(to geometry: ConvolutionGeometry) -> [ConvolutionAlgorithm] {
    if geometry.taps == 1, geometry.padding == .none { return [.pointwise] }
    let isPlain3x3 =
      geometry.kernelHeight == 3 && geometry.kernelWidth == 3 && geometry.stride == 1
      && geometry.padding == .symmetric(kernelHeight: 3, kernelWidth: 3)
    guard isPlain3x3 else { return [.im2col] }
    // One column would use 1/32 of a panel, two 2/32; their nine taps use 9/32 and 18/32.
    if geometry.outputChannels <= 2 { return [.tapSum, .im2col] }
    return [.im2col] + WinogradTiles.sizes.map { .winograd(tile: $0) }
  }
}
