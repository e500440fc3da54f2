import DepthBase

/// A direct convolution of a map and weights rounded to bfloat16:
///
///     y = max(W ∗ x + bias + residual, lower bound)
///
/// Only W and x are rounded, to the nearest value, ties to even; products are exact, and sums and all that follows are 32-bit
/// floats. An output is summed in one order whatever the number of threads, so the result has the same bits.
struct BFloat16Convolution: Sendable {
  let geometry: ConvolutionGeometry
  let instructionSet: BFloat16InstructionSet
  let kernel: BFloat16Kernel
  let bounds: ChannelBounds

  /// - Parameter kernels: Reads the kernels of some output channels in OIHW order.
  /// - Throws: Whatever `kernels` throws.
  init(
    _ geometry: ConvolutionGeometry, kernels: @escaping KernelRows, bounds: ChannelBounds,
    instructionSet: BFloat16InstructionSet, on team: ThreadTeam
  ) throws {
    self.geometry = geometry
    (self.instructionSet, self.bounds) = (instructionSet, bounds)
    kernel = try BFloat16Kernel(
      KernelPlace(geometry), inputChannels: geometry.inputChannels,
      outputChannels: geometry.outputChannels, kernels: kernels, on: instructionSet, team)
  }

  /// Whether an output reads one pixel alone: all pixels of the batch are then one line.
  var isPointwise: Bool { geometry.taps == 1 && geometry.padding == .none }

  /// The input rounded to bfloat16. For strided 1 × 1 kernels, skipped pixels are not copied.
  func roundedMap(of input: Tensor.Shape) -> RoundedMap {
    RoundedMap(of: input, stride: isPointwise ? geometry.stride : 1, border: geometry.padding)
  }

  /// Floats of scratch for one run.
  func scratchCount(for input: Tensor.Shape) -> Int { roundedMap(of: input).extent }
}
