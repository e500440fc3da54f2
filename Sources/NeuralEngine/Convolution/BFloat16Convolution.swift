import SIMDKernels
import ThreadTeams

/// A direct convolution, or the four of an up-convolution, of a map and weights rounded to bfloat16:
///
///     y = max(W ∗ x + bias + residual, lower bound)
///
/// Only W and x are rounded, to the nearest value, ties to even; products are exact, and sums and all that follows are 32-bit
/// floats. An output is summed in one order whatever the number of threads, so the result has the same bits.
struct BFloat16Convolution: Sendable {
  let inputChannels, outputChannels: Int
  /// `nil` for an up-convolution.
  let geometry: ConvolutionGeometry?
  let instructionSet: BFloat16InstructionSet
  let kernels: [BFloat16Kernel]
  let bounds: ChannelBounds

  /// A convolution.
  ///
  /// - Parameter kernels: Reads the kernels of some output channels in OIHW order.
  /// - Throws: Whatever `kernels` throws.
  init(
    _ geometry: ConvolutionGeometry, kernels: @escaping KernelRows, bounds: ChannelBounds,
    instructionSet: BFloat16InstructionSet, on team: ThreadTeam
  ) throws {
    self.geometry = geometry
    (inputChannels, outputChannels) = (geometry.inputChannels, geometry.outputChannels)
    (self.instructionSet, self.bounds) = (instructionSet, bounds)
    self.kernels = [
      try BFloat16Kernel(
        KernelPlace(geometry), inputChannels: inputChannels, outputChannels: outputChannels,
        kernels: kernels, on: instructionSet, team)
    ]
  }

  /// An up-convolution; see ``UpConvolution``.
  ///
  /// - Parameters:
  ///   - kernels: For each phase, reads the kernels of some output channels.
  ///   - bounds: Of four rows of `outputChannels`, one per phase.
  /// - Throws: Whatever `kernels` throws.
  init(
    upConvolution padding: UpConvolution.Padding, inputChannels: Int, outputChannels: Int,
    kernels: (UpConvolution.Phase) -> KernelRows, bounds: ChannelBounds,
    instructionSet: BFloat16InstructionSet, on team: ThreadTeam
  ) throws {
    geometry = nil
    (self.inputChannels, self.outputChannels) = (inputChannels, outputChannels)
    (self.instructionSet, self.bounds) = (instructionSet, bounds)
    self.kernels = try UpConvolution.Phase.allCases.map { phase in
      try BFloat16Kernel(
        KernelPlace(phase, padding), inputChannels: inputChannels, outputChannels: outputChannels,
        kernels: kernels(phase), on: instructionSet, team)
    }
  }

  /// Whether the convolution doubles height and width.
  var isUpConvolution: Bool { geometry == nil }

  /// Bytes of the packed weights.
  var weightBytes: Int { kernels.reduce(0) { $0 + $1.bytes } }

  func outputShape(for input: Tensor.Shape) -> Tensor.Shape {
    geometry?.outputShape(for: input)
      ?? UpConvolution.outputShape(for: input, outputChannels: outputChannels)
  }

  /// Whether an output reads one pixel alone: all pixels of the batch are then one line.
  var isPointwise: Bool { geometry.map { $0.taps == 1 && $0.padding == .none } ?? false }

  /// The input rounded to bfloat16. For strided 1 × 1 kernels, skipped pixels are not copied.
  func roundedMap(of input: Tensor.Shape) -> RoundedMap {
    guard let geometry else {
      return RoundedMap(of: input, border: .symmetric(kernelHeight: 3, kernelWidth: 3))
    }
    return RoundedMap(
      of: input, step: isPointwise ? geometry.stride : 1, border: geometry.padding)
  }

  /// Floats of scratch for one run.
  func scratchCount(for input: Tensor.Shape) -> Int { roundedMap(of: input).extent }
}
