import CDepthSIMD
import DepthBase

/// A direct convolution on quantized maps, or the four convolutions of an up-convolution:
///
///     y = min(max(W ∗ x + bias + residual, lower bound), upper bound)
///
/// W and x are integers, whose products are summed exactly. Each accumulator is converted to a float once, multiplied,
/// offset, added to the residual, bounded and rounded to the nearest integer, ties to even. Each step is one IEEE 754
/// operation, so the result does not depend on the instruction set or the number of threads.
struct QuantizedConvolution: Sendable {
  let inputChannels, outputChannels: Int
  /// `nil` for an up-convolution.
  let geometry: ConvolutionGeometry?
  let instructionSet: Int8InstructionSet
  let kernels: [QuantizedKernel]
  /// The lower bound of each output channel, quantized or as a float.
  let lowerBound: AlignedBuffer
  /// Whether all lower bounds are 0.
  let lowerIsZero: Bool
  /// The upper bound of all channels; 0 if only the largest quantized value limits the channels.
  let upperBound: Float
  /// The quantization of each output channel; `nil` for a float result.
  let output: [MapQuantization]?
  /// The quantization of results that are rounded to floats first; otherwise `nil`.
  let floatQuantization: MapQuantization?
  /// The scale of the residual divided by the result's scale. With a residual, all channels have one scale.
  let residualScale: Float

  /// Creates a plain convolution.
  ///
  /// - Parameters:
  ///   - kernels: Reads the kernels of some output channels.
  ///   - bias: One value per output channel.
  ///   - packing: Packs the kernels, and throws the errors of `kernels`.
  init(
    _ geometry: ConvolutionGeometry, kernels: @escaping QuantizedRows, bias: [Float],
    activation: Activation, maps: MapQuantizations, instructionSet: Int8InstructionSet,
    packing: inout DeferredPacking
  ) {
    precondition(activation != .exp, "a quantized convolution has no exponential function")
    self.geometry = geometry
    (inputChannels, outputChannels) = (geometry.inputChannels, geometry.outputChannels)
    self.instructionSet = instructionSet
    output = maps.output
    floatQuantization = maps.roundsToFloats ? maps.output?.first : nil
    let quantizations = maps.roundsToFloats ? nil : maps.output
    let quantization = quantizations?.first
    residualScale = maps.residual.map { $0.scale / (quantization?.scale ?? 1) } ?? 0
    lowerBound = Self.lowerBound(
      quantizations, channels: outputChannels,
      reluChannels: 0..<(activation.isNonnegative ? outputChannels : 0))
    lowerIsZero = Self.isZero(lowerBound, channels: outputChannels)
    upperBound = Self.upperBound(quantization, activation)
    self.kernels = [
      QuantizedKernel(
        KernelPlace(geometry), inputChannels: inputChannels, outputChannels: outputChannels,
        kernels: kernels, bias: bias, input: maps.input, output: quantizations,
        residual: maps.residual, readsRows: maps.readsRows, for: instructionSet,
        packing: &packing)
    ]
  }

  /// Creates an up-convolution; see ``UpConvolution``.
  ///
  /// - Parameters:
  ///   - kernels: For each phase, a function that reads the kernels of some output channels.
  ///   - bias: Four rows of `outputChannels`, one per phase.
  ///   - output: The quantization of each output channel; `nil` for floats.
  ///   - reluChannels: The output channels with a ReLU.
  ///   - packing: Packs the kernels, and throws the errors of `kernels`.
  init(
    upConvolution padding: UpConvolution.Padding, inputChannels: Int, outputChannels: Int,
    kernels: (UpConvolution.Phase) -> QuantizedRows, bias: [Float], reluChannels: Range<Int>,
    input: MapQuantization, output: [MapQuantization]?, instructionSet: Int8InstructionSet,
    packing: inout DeferredPacking
  ) {
    geometry = nil
    (self.inputChannels, self.outputChannels) = (inputChannels, outputChannels)
    self.instructionSet = instructionSet
    self.output = output
    floatQuantization = nil
    residualScale = 0
    upperBound = 0
    lowerBound = Self.lowerBound(output, channels: outputChannels, reluChannels: reluChannels)
    lowerIsZero = Self.isZero(lowerBound, channels: outputChannels)
    self.kernels = UpConvolution.Phase.allCases.map { phase in
      QuantizedKernel(
        KernelPlace(phase, padding), inputChannels: inputChannels, outputChannels: outputChannels,
        kernels: kernels(phase),
        bias: Array(bias[phase.index * outputChannels..<(phase.index + 1) * outputChannels]),
        input: input, output: output, residual: nil, for: instructionSet, packing: &packing)
    }
  }

  /// Upper bound of results with an activation, quantized or as a float; 0 for none.
  static func upperBound(_ output: MapQuantization?, _ activation: Activation) -> Float {
    guard let bound = activation.upperBound else { return 0 }
    return output.map { bound / $0.scale + Float($0.zeroPoint) } ?? bound
  }

  /// An activation's lower bounds of results, quantized or as floats.
  static func lowerBound(
    _ output: [MapQuantization]?, channels: Int, reluChannels: Range<Int>
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
  var weightBytes: Int { kernels.reduce(0) { $0 + $1.bytes } }

  func outputShape(for input: Tensor.Shape) -> Tensor.Shape {
    geometry?.outputShape(for: input)
      ?? UpConvolution.outputShape(for: input, outputChannels: outputChannels)
  }

  /// Multiply–adds for one input shape.
  func multiplyAdds(for input: Tensor.Shape) -> Int {
    geometry.map { $0.multiplyAdds(for: $0.outputShape(for: input)) }
      ?? 25 * input.rows * inputChannels * outputChannels
  }
}
