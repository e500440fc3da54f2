import CDepthSIMD
package import DepthBase

/// A direct convolution, or the four of an up-convolution, on maps of 8-bit codes:
///
///     y = min(max(W ∗ x + bias + residual, lower bound), upper bound)
///
/// with W and x as integers, whose products are summed exactly. The sum of each output is converted to a float once,
/// multiplied, offset, added to the residual, bounded and rounded to the nearest code, ties to even; each of these is one
/// operation of IEEE 754, so the result has the same bits on every instruction set and number of threads.
package struct CodeConvolution: Sendable {
  package let inputChannels, outputChannels: Int
  /// `nil` for an up-convolution.
  package let geometry: ConvolutionGeometry?
  package let instructionSet: CodeInstructionSet
  let kernels: [CodeKernel]
  /// The lower bound of each output channel, in codes or as a float.
  let lowerBound: AlignedBuffer
  /// Whether the lower bound of every output channel is 0.
  let lowerIsZero: Bool
  /// The upper bound of all channels; 0 if only the largest code bounds them.
  let upperBound: Float
  /// The codes of each output channel; `nil` where the result is a map of floats.
  let output: [MapCodes]?
  /// The codes that floats are rounded to, if results are rounded to floats first; otherwise `nil`.
  let codesOfFloats: MapCodes?
  /// The step of the residual relative to the result's: a residual needs one step for all channels.
  let residualStep: Float

  /// The codes that a convolution reads, writes and adds.
  package struct Codes: Sendable {
    package var input: MapCodes
    /// `nil` for a result of floats.
    package var output: MapCodes?
    package var residual: MapCodes?
    /// Whether results are rounded to floats before they are to codes, as those that a ``Quantization`` reads are.
    package var roundsToFloats = false
    /// Whether the map that is read is no slice, and its pixels lie without gaps: a row of taps is one run of codes then.
    package var readsRows = false

    package init(input: MapCodes, output: MapCodes?, residual: MapCodes? = nil) {
      (self.input, self.output, self.residual) = (input, output, residual)
    }
  }

  /// A convolution.
  ///
  /// - Parameters:
  ///   - kernels: Reads the kernels of some output channels.
  ///   - bias: One value per output channel.
  ///   - packing: Packs the kernels; it throws whatever `kernels` throws.
  package init(
    _ geometry: ConvolutionGeometry, kernels: @escaping KernelCodes, bias: [Float],
    activation: Activation, codes: Codes, instructionSet: CodeInstructionSet,
    packing: inout DeferredPacking
  ) {
    precondition(activation != .exp, "a convolution on codes has no exponential function")
    self.geometry = geometry
    (inputChannels, outputChannels) = (geometry.inputChannels, geometry.outputChannels)
    self.instructionSet = instructionSet
    let output = codes.output.map {
      [MapCodes](repeating: $0, count: geometry.outputChannels)
    }
    self.output = output
    codesOfFloats = codes.roundsToFloats ? codes.output : nil
    let scale = codes.roundsToFloats ? nil : codes.output
    let scales = codes.roundsToFloats ? nil : output
    residualStep = codes.residual.map { $0.step / (scale?.step ?? 1) } ?? 0
    lowerBound = Self.lowerBound(
      scales, channels: outputChannels,
      reluChannels: 0..<(activation.isNonnegative ? outputChannels : 0))
    lowerIsZero = Self.isZero(lowerBound, channels: outputChannels)
    upperBound = Self.upperBound(scale, activation)
    self.kernels = [
      CodeKernel(
        KernelPlace(geometry), inputChannels: inputChannels, outputChannels: outputChannels,
        kernels: kernels, bias: bias, input: codes.input, output: scales,
        residual: codes.residual, readsRows: codes.readsRows, for: instructionSet,
        packing: &packing)
    ]
  }

  /// An up-convolution; see ``UpConvolution``.
  ///
  /// - Parameters:
  ///   - kernels: For each phase, reads the kernels of some output channels.
  ///   - bias: Four rows of `outputChannels`, one per phase.
  ///   - output: The codes of each output channel; `nil` for floats.
  ///   - reluChannels: The output channels that a ReLU follows.
  ///   - packing: Packs the kernels; it throws whatever `kernels` throws.
  package init(
    upConvolution padding: UpConvolution.Padding, inputChannels: Int, outputChannels: Int,
    kernels: (UpConvolution.Phase) -> KernelCodes, bias: [Float], reluChannels: Range<Int>,
    input: MapCodes, output: [MapCodes]?, instructionSet: CodeInstructionSet,
    packing: inout DeferredPacking
  ) {
    geometry = nil
    (self.inputChannels, self.outputChannels) = (inputChannels, outputChannels)
    self.instructionSet = instructionSet
    self.output = output
    codesOfFloats = nil
    residualStep = 0
    upperBound = 0
    lowerBound = Self.lowerBound(output, channels: outputChannels, reluChannels: reluChannels)
    lowerIsZero = Self.isZero(lowerBound, channels: outputChannels)
    self.kernels = UpConvolution.Phase.allCases.map { phase in
      CodeKernel(
        KernelPlace(phase, padding), inputChannels: inputChannels, outputChannels: outputChannels,
        kernels: kernels(phase),
        bias: Array(bias[phase.index * outputChannels..<(phase.index + 1) * outputChannels]),
        input: input, output: output, residual: nil, for: instructionSet, packing: &packing)
    }
  }

  /// What an activation bounds results by above, in codes or as a float; 0 for nothing.
  static func upperBound(_ output: MapCodes?, _ activation: Activation) -> Float {
    guard let bound = activation.upperBound else { return 0 }
    return output.map { bound / $0.step + Float($0.zeroPoint) } ?? bound
  }

  /// What an activation bounds results by below, in codes or as floats.
  static func lowerBound(
    _ output: [MapCodes]?, channels: Int, reluChannels: Range<Int>
  ) -> AlignedBuffer {
    AlignedBuffer(
      padding: (0..<channels).map { channel in
        if let output {
          reluChannels.contains(channel) ? Float(output[channel].zeroPoint) : 0
        } else {
          reluChannels.contains(channel) ? 0 : -.infinity
        }
      })
  }

  private static func isZero(_ bounds: AlignedBuffer, channels: Int) -> Bool {
    (0..<channels).allSatisfy { unsafe bounds.base[$0] == 0 }
  }

  /// Whether the convolution doubles height and width.
  var isUpConvolution: Bool { geometry == nil }

  /// Bytes of the packed weights.
  package var weightBytes: Int { kernels.reduce(0) { $0 + $1.bytes } }

  package func outputShape(for input: Tensor.Shape) -> Tensor.Shape {
    geometry?.outputShape(for: input)
      ?? UpConvolution.outputShape(for: input, outputChannels: outputChannels)
  }

  /// Multiply–adds for one input shape.
  package func multiplyAdds(for input: Tensor.Shape) -> Int {
    geometry.map { $0.multiplyAdds(for: $0.outputShape(for: input)) }
      ?? 25 * input.rows * inputChannels * outputChannels
  }
}
