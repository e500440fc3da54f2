/// The algorithm of a convolution, chosen by ``best(for:input:addsMap:)``.
package enum ConvolutionAlgorithm: Sendable, Hashable, CustomStringConvertible {
  /// One matrix product whose left-hand matrix is the map, for 1×1 kernels.
  case pointwise
  /// One matrix product of gathered inputs, one row per output pixel.
  case im2col
  /// Winograd's algorithm in tiles of `tile` × `tile` outputs, for 3×3 kernels of stride 1 (Lavin &
  /// Gray 2016).
  case winograd(tile: Int)
  /// Nine products per pixel and channel, followed by their shifted sums, for 3×3 kernels with one or two output
  /// channels.
  case tapSum

  package var description: String {
    switch self {
    case .pointwise: "1×1"
    case .im2col: "im2col"
    case .winograd(let tile): "winograd \(tile)"
    case .tapSum: "tap sum"
    }
  }

  /// The algorithm for one layer.
  ///
  /// - Parameters:
  ///   - geometry: The layer's kernel and channels.
  ///   - input: The usual shape of the input. The algorithm accepts other shapes.
  ///   - addsMap: Whether a map is added to the result, which a sum of taps cannot do.
  package static func best(
    for geometry: ConvolutionGeometry, input: Tensor.Shape, addsMap: Bool = false
  ) -> ConvolutionAlgorithm {
    let possible = applicable(to: geometry).filter { !addsMap || $0 != .tapSum }
    guard possible.contains(.winograd(tile: 2)) else { return possible[0] }
    return .winograd(tile: WinogradTiles.size(pixels: input.area))
  }

  /// The algorithm for the four convolutions of an up-convolution.
  package static func best(forUpConvolution input: Tensor.Shape) -> ConvolutionAlgorithm {
    .winograd(tile: WinogradTiles.size(pixels: input.area))
  }

  /// All float algorithms that can compute a convolution. If Winograd's does not apply, the first is the best.
  static func applicable(to geometry: ConvolutionGeometry) -> [ConvolutionAlgorithm] {
    if geometry.taps == 1, geometry.padding == .none { return [.pointwise] }
    let isPlain3x3 =
      geometry.kernelHeight == 3 && geometry.kernelWidth == 3 && geometry.stride == 1
      && geometry.padding == .symmetric(kernelHeight: 3, kernelWidth: 3)
    let tiles = WinogradTiles.sizes.map { ConvolutionAlgorithm.winograd(tile: $0) }
    guard geometry.border == .zeros else {
      precondition(isPlain3x3, "\(geometry) repeats its border, expected 3×3 and stride 1")
      return tiles
    }
    guard isPlain3x3 else { return [.im2col] }
    // One output column would use 1/32 of a panel, and two columns 2/32. The nine taps use 9/32 and 18/32.
    if geometry.outputChannels <= 2 { return [.tapSum, .im2col] }
    return [.im2col] + tiles
  }
}
