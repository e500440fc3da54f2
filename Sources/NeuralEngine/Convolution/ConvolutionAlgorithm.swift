package import SIMDKernels

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
  /// - Parameters:
  ///   - input: The input's shape in ordinary use; the choice holds for any size.
  ///   - instructionSet: Of the kernels that will run it.
  package static func best(
    for geometry: ConvolutionGeometry, input: Tensor.Shape, on instructionSet: InstructionSet
  ) -> ConvolutionAlgorithm {
    let possible = applicable(to: geometry)
    guard possible.contains(.winograd(tile: 2)) else { return possible[0] }
    return .winograd(
      tile: WinogradTiles.best(
        for: .init(
          .convolution, geometry.inputChannels, geometry.outputChannels, pixels: input.area),
        on: instructionSet))
  }

  /// All algorithms that can compute a convolution; the first is best where none is Winograd's.
  package static func applicable(to geometry: ConvolutionGeometry) -> [ConvolutionAlgorithm] {
    if geometry.taps == 1, geometry.padding == .none { return [.pointwise] }
    let isPlain3x3 =
      geometry.kernelHeight == 3 && geometry.kernelWidth == 3 && geometry.stride == 1
      && geometry.padding == .symmetric(kernelHeight: 3, kernelWidth: 3)
    guard isPlain3x3 else { return [.im2col] }
    // One column would fill a thirty-second of a panel; nine fill more.
    if geometry.outputChannels == 1 { return [.tapSum, .im2col] }
    return [.im2col] + WinogradTiles.sizes.map { .winograd(tile: $0) }
  }
}

extension ConvolutionGeometry.Padding {
  package static let none = ConvolutionGeometry.Padding(top: 0, bottom: 0, left: 0, right: 0)
}
