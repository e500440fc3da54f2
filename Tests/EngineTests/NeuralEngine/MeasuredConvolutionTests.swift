import DepthBase
import Testing
import _TestSupport

@testable import NeuralEngine

/// Integer convolutions whose scale is measured on the map.
@Suite struct MeasuredConvolutionTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var height, width, inputs, outputs: Int
    var size = 3
    var stride = 1
    var border = ConvolutionGeometry.Border.zeros
    var testDescription: String {
      "\(height)×\(width), \(inputs)→\(outputs), \(size)×\(size)/\(stride), \(border)"
    }
  }

  static let cases = [
    Case(height: 1, width: 1, inputs: 4, outputs: 1),
    Case(height: 5, width: 7, inputs: 3, outputs: 33),
    Case(height: 12, width: 17, inputs: 48, outputs: 48),
    Case(height: 9, width: 6, inputs: 24, outputs: 70, stride: 2),
    Case(height: 4, width: 5, inputs: 70, outputs: 8, size: 1),
    Case(height: 1, width: 3, inputs: 4, outputs: 7, border: .repeated),
    Case(height: 14, width: 11, inputs: 64, outputs: 40, border: .repeated),
  ]

  /// The expected result by plain loops. Each image is quantized by its largest magnitude. Exact
  /// sums become floats by the epilogue's operations, in order.
  private func expected(
    _ test: Case, _ x: Tensor, adding added: Tensor, _ kernel: [Float], _ bias: [Float],
    isNonnegative: Bool
  ) -> [Float] {
    let padding = (test.size - 1) / 2
    let row = test.inputs * test.size * test.size
    let weights = (0..<test.outputs).map { output -> (scale: Float, values: [Int]) in
      let own = kernel[output * row..<(output + 1) * row]
      let scale = Double(own.reduce(0) { max($0, abs($1)) }) / 127
      let reciprocal = Float(1 / scale)
      return (Float(scale), own.map { Int(($0 * reciprocal).rounded(.toNearestOrEven)) })
    }
    return (0..<x.shape.count).flatMap { image -> [Float] in
      let values = x.map(image: image)
      let top = values.elements.reduce(0) { max($0, Float(abs($1))) }
      let (levels, zero): (Float, Float) = isNonnegative ? (255, 0) : (127, 128)
      let scale = top > 0 ? top / levels : 1
      let reciprocal = 1 / scale
      let quantized = values.elements.map {
        Int(min(max(Float($0) * reciprocal + zero, 0), 255).rounded(.toNearestOrEven)) - Int(zero)
      }
      let others = added.map(image: image).elements
      return others.enumerated().map { index, other in
        let (pixel, output) = index.quotientAndRemainder(dividingBy: test.outputs)
        let (y, column) = pixel.quotientAndRemainder(dividingBy: added.shape.width)
        var sum = 0
        for c in 0..<test.inputs {
          for tap in 0..<test.size * test.size {
            var r = y * test.stride + tap / test.size - padding
            var q = column * test.stride + tap % test.size - padding
            if test.border == .repeated {
              (r, q) = (min(max(r, 0), test.height - 1), min(max(q, 0), test.width - 1))
            }
            guard 0..<test.height ~= r, 0..<test.width ~= q else { continue }
            sum +=
              weights[output].values[c * test.size * test.size + tap]
              * quantized[(r * test.width + q) * test.inputs + c]
          }
        }
        let value = Float(sum) * (weights[output].scale * scale) + bias[output]
        return max(value + Float(other), 0)
      }
    }
  }

  @Test(
    "a convolution with a measured scale equals exact integer sums",
    arguments: Int8InstructionSet.supported, cases)
  func equalsExactSums(set: Int8InstructionSet, test: Case) throws {
    for isNonnegative in [true, false] {
      var archive = NoiseArchive()
      archive.addConvolution("c", [test.outputs, test.inputs, test.size, test.size])
      let operation = ConvolutionOperation(
        geometry: ConvolutionGeometry(
          kernelHeight: test.size, kernelWidth: test.size, stride: test.stride,
          border: test.border, inputChannels: test.inputs, outputChannels: test.outputs),
        convolutionWeights: try ConvolutionWeights(
          WeightScope(archive, batchNormEpsilon: 0, isFolded: true), layer: "c", norm: nil,
          hasBias: true, shape: [test.outputs, test.inputs, test.size, test.size]),
        activation: .relu, measuredScale: .map)
      let shape = Tensor.Shape(
        count: 3, height: test.height, width: test.width, channels: test.inputs)
      var x = Tensor.noise("x", shape, scale: 7)
      // The images have very different magnitudes, and the last image is zero.
      x = Tensor(
        shape: shape,
        elements: x.elements.enumerated().map { index, value in
          let factors: [Float] = [1, 1e-3, 0]
          let scaled = value * factors[index / (shape.area * shape.channels)]
          return isNonnegative ? abs(scaled) : scaled
        })
      let added = Tensor.noise("added", operation.outputShape(for: shape))
      func found(_ threads: Int) throws -> Tensor {
        try run(
          operation, x, added, on: set.vectors, threads: threads, int8: set,
          isNonnegative: isNonnegative)
      }
      let result = try found(1)
      expectClose(
        result.elements,
        expected(
          test, x, adding: added, archive.elements(of: "c/kernel"),
          archive.elements(of: "c/bias"), isNonnegative: isNonnegative), absolute: 1e-6,
        relative: 1e-6)
      #expect(try found(3) == result)
      #expect(
        try run(
          operation, x, added, on: .baseline, int8: .baseline, isNonnegative: isNonnegative)
          == result)
    }
  }
}
