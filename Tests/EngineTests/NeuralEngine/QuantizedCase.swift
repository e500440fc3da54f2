import DepthBase
import Testing
import _TestSupport

@testable import NeuralEngine

extension Int8InstructionSet {
  /// This machine's instruction sets, and models of instruction sets.
  static let tested = supported + models
}

/// One quantized convolution, with sizes beside multiples of vectors, panels and tiles.
struct QuantizedCase: Sendable, CustomTestStringConvertible {
  var kernel = 3
  var stride = 1
  var count = 1
  var height, width, input, output: Int
  var zeroPoint: UInt8 = 0
  var hasResidual = false
  var writesFloats = false
  /// Whether the map is a slice of a wider map.
  var isSlice = false
  /// Whether all quantized values are 255 and all weights ±127, which gives the largest sums.
  var isExtreme = false

  var geometry: ConvolutionGeometry {
    ConvolutionGeometry(
      kernelHeight: kernel, kernelWidth: kernel, stride: stride, inputChannels: input,
      outputChannels: output)
  }

  /// The shape of the map that is read.
  var shape: Tensor.Shape { .init(count: count, height: height, width: width, channels: input) }

  var testDescription: String {
    "\(kernel)×\(kernel)/\(stride) \(input)→\(output) on \(count)×\(height)×\(width)"
      + (zeroPoint > 0 ? ", signed" : "") + (hasResidual ? ", residual" : "")
      + (writesFloats ? ", floats" : "") + (isSlice ? ", slice" : "")
      + (isExtreme ? ", extreme" : "")
  }

  static let all = direct + winograd

  static let direct: [QuantizedCase] = [
    .init(kernel: 1, height: 1, width: 1, input: 1, output: 1),
    .init(kernel: 1, height: 3, width: 13, input: 5, output: 33, hasResidual: true),
    .init(kernel: 1, stride: 2, height: 9, width: 7, input: 16, output: 31, zeroPoint: 128),
    .init(kernel: 3, height: 1, width: 1, input: 3, output: 7, zeroPoint: 128),
    .init(kernel: 3, height: 5, width: 12, input: 16, output: 16, hasResidual: true),
    .init(
      kernel: 3, height: 4, width: 25, input: 6, output: 48, zeroPoint: 128, writesFloats: true),
    .init(
      kernel: 3, count: 2, height: 6, width: 5, input: 9, output: 20, hasResidual: true,
      isSlice: true),
    .init(kernel: 3, stride: 2, height: 9, width: 10, input: 7, output: 24, isSlice: true),
    .init(
      kernel: 3, height: 7, width: 8, input: 8, output: 65, zeroPoint: 128, hasResidual: true,
      writesFloats: true, isSlice: true),
    .init(kernel: 3, height: 37, width: 3, input: 4, output: 5),  // not divisible into tasks
    .init(kernel: 3, height: 3, width: 4, input: 300, output: 96),  // more than 256 KiB of weights
    .init(kernel: 3, height: 2, width: 2, input: 1024, output: 2, isExtreme: true),
    // For AMX tiles: blocks of 16 pixels in one or two lines, and depths that fill tiles or not.
    .init(kernel: 1, height: 1, width: 15, input: 28, output: 17, hasResidual: true),
    .init(kernel: 1, height: 2, width: 16, input: 48, output: 70),
    .init(kernel: 1, height: 3, width: 17, input: 64, output: 40, hasResidual: true),
    .init(
      kernel: 3, height: 1, width: 33, input: 64, output: 33, zeroPoint: 128, writesFloats: true),
    .init(kernel: 3, height: 2, width: 17, input: 68, output: 20, isSlice: true),
    .init(kernel: 1, height: 2, width: 33, input: 144, output: 16, hasResidual: true),
    .init(kernel: 3, stride: 2, height: 5, width: 34, input: 64, output: 48, isSlice: true),
    .init(kernel: 1, height: 2, width: 19, input: 2048, output: 3, isExtreme: true),
    // Borders of two and three pixels, as around a network's input.
    .init(kernel: 7, stride: 2, height: 12, width: 35, input: 3, output: 64, writesFloats: true),
    .init(kernel: 7, stride: 2, count: 2, height: 1, width: 2, input: 3, output: 5, zeroPoint: 128),
    .init(kernel: 5, height: 6, width: 7, input: 4, output: 9, zeroPoint: 128, hasResidual: true),
  ]

  /// Convolutions that use Winograd's algorithm if the instruction set has it. Shapes are odd.
  /// Tiles and groups are whole or partial.
  static let winograd: [QuantizedCase] = [
    .init(height: 12, width: 16, input: 32, output: 16),
    .init(height: 13, width: 15, input: 35, output: 33, zeroPoint: 128, hasResidual: true),
    .init(
      count: 2, height: 9, width: 18, input: 42, output: 20, zeroPoint: 128, writesFloats: true,
      isSlice: true),
    .init(height: 22, width: 29, input: 32, output: 9, hasResidual: true, writesFloats: true),
    .init(height: 11, width: 12, input: 262, output: 5, zeroPoint: 128, isSlice: true),
    .init(height: 8, width: 9, input: 1800, output: 3, isExtreme: true),
  ]
}
