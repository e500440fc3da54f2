package import SIMDKernels

/// How a convolution is computed. ``best(for:input:on:)`` is the only place that chooses.
package enum ConvolutionAlgorithm: Sendable, Hashable, CustomStringConvertible {
  /// One matrix product straight from the map, for 1×1 kernels.
  case pointwise
  /// One matrix product of gathered inputs, one row per output pixel.
  case im2col
  /// Winograd's algorithm in tiles of `tile` × `tile` outputs, for 3×3 kernels of stride 1 (Lavin &
  /// Gray 2016).
  case winograd(tile: Int)
  /// Nine products per pixel, then their shifted sum, for 3×3 kernels with one output channel.
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
  ///   - input: The usual shape of the input; the algorithm accepts others.
  ///   - instructionSet: The instruction set of the kernels.
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

  /// All algorithms that can compute a convolution. The first is the best where Winograd's does not
  /// apply.
  package static func applicable(to geometry: ConvolutionGeometry) -> [ConvolutionAlgorithm] {
    if geometry.taps == 1, geometry.padding == .none { return [.pointwise] }
    let isPlain3x3 =
      geometry.kernelHeight == 3 && geometry.kernelWidth == 3 && geometry.stride == 1
      && geometry.padding == .symmetric(kernelHeight: 3, kernelWidth: 3)
    guard isPlain3x3 else { return [.im2col] }
    // A single column would use 1/32 of a panel; the nine taps use 9/32.
    if geometry.outputChannels == 1 { return [.tapSum, .im2col] }
    return [.im2col] + WinogradTiles.sizes.map { .winograd(tile: $0) }
  }
}

extension ConvolutionGeometry.Padding {
  package static let none = ConvolutionGeometry.Padding(top: 0, bottom: 0, left: 0, right: 0)
}
