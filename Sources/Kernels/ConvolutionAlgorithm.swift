package import Tensors

/// How a convolution is computed. The choice is made here and nowhere else.
package enum ConvolutionAlgorithm: Sendable, Hashable, CustomStringConvertible {
  /// 1×1: the map is already the matrix.
  case pointwise
  /// Every output pixel's inputs gathered into a row of a matrix.
  case im2col
  /// 3×3 of stride 1 in tiles of `tile` × `tile` outputs (Lavin & Gray 2015).
  case winograd(tile: Int)
  /// 3×3 with one output channel: nine products a pixel, added up with their shifts.
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
  /// - Parameter input: The input's shape in ordinary use; the choice holds for any size.
  package static func best(
    for geometry: ConvolutionGeometry, input: Tensor.Shape
  ) -> ConvolutionAlgorithm {
    if geometry.taps == 1, geometry.padding == .none { return .pointwise }
    let isPlain3x3 =
      geometry.kernelHeight == 3 && geometry.kernelWidth == 3 && geometry.stride == 1
      && geometry.padding == .symmetric(kernelHeight: 3, kernelWidth: 3)
    guard isPlain3x3 else { return .im2col }
    // One column would fill a thirty-second of a panel; nine fill more.
    if geometry.outputChannels == 1 { return .tapSum }
    return .winograd(
      tile: winogradTile(
        weights: geometry.inputChannels * geometry.outputChannels, area: input.area))
  }

  /// The algorithm's tile for an up-convolution's four kernels.
  package static func bestTile(forUpConvolution channels: Int, input: Tensor.Shape) -> Int {
    winogradTile(weights: channels, area: input.area)
  }

  /// Larger tiles multiply less but read more transformed weights: with few pixels and many channels
  /// memory decides. `channels` is input times output channels.
  private static func winogradTile(weights channels: Int, area: Int) -> Int {
    channels > smallestCostlyKernel * max(area, 1) ? 2 : 4
  }

  /// Channel pairs a pixel from which reading 6×6 transformed kernels costs more than the products
  /// they save; measured with `depth benchmark` where memory gives 40 GB/s to 500 GFLOP/s. A processor
  /// with more memory for its arithmetic would put it higher.
  private static let smallestCostlyKernel = 1500
}

extension ConvolutionGeometry.Padding {
  package static let none = ConvolutionGeometry.Padding(top: 0, bottom: 0, left: 0, right: 0)
}
