import DepthBase
import Testing
import _TestSupport

@testable import NeuralEngine

/// One up-convolution to test.
struct UpConvolutionCase: Sendable, CustomTestStringConvertible {
  var count = 1
  var height, width, input, output: Int

  var testDescription: String { "\(input)→\(output) on \(count)×\(height)×\(width)" }

  static let all = [
    UpConvolutionCase(height: 1, width: 1, input: 1, output: 1),
    UpConvolutionCase(height: 2, width: 5, input: 16, output: 32),
    UpConvolutionCase(height: 8, width: 10, input: 33, output: 40),
    UpConvolutionCase(count: 2, height: 5, width: 3, input: 17, output: 6),
    UpConvolutionCase(height: 7, width: 9, input: 64, output: 130),
  ]
}

/// Up-convolutions equal their formula, which interleaves four convolutions.
@Suite struct WinogradTests {
  static func run(
    _ test: UpConvolutionCase, padding: UpConvolution.Padding, algorithm: ConvolutionAlgorithm,
    backend: GEMMBackend, threads: Int, values: (String, Int) -> [Float] = noise
  ) throws -> (result: Tensor, expected: [Double]) {
    let shape = Tensor.Shape(
      count: test.count, height: test.height, width: test.width, channels: test.input)
    let x = values("x", shape.elementCount)
    let kernels = UpConvolution.Phase.allCases.map { phase in
      values("kernel \(phase)", test.output * test.input * phase.kernelHeight * phase.kernelWidth)
    }
    let bias = noise("bias", 4 * test.output)
    // A ReLU on the first half of the channels, as on branch 1 of an up-projection.
    let reluChannels = 0..<test.output / 2
    return try ThreadTeam.run(threads: threads) { team in
      let convolution = try UpConvolution(
        inputChannels: test.input, outputChannels: test.output, padding: padding,
        kernels: { phase in
          let perChannel = test.input * phase.kernelHeight * phase.kernelWidth
          return { range in
            Array(
              kernels[phase.index][range.lowerBound * perChannel..<range.upperBound * perChannel])
          }
        }, bias: bias, reluChannels: reluChannels, algorithm: algorithm,
        backend: backend, on: team)
      let input = FeatureMap(shape: shape, offset: 0)
      let output = FeatureMap(
        shape: convolution.outputShape(for: shape), offset: Workspace.aligned(input.extent))
      let scratch = output.offset + Workspace.aligned(output.extent)
      let workspace = Workspace(
        capacity: scratch + convolution.scratchCount(for: shape, threads: threads))
      workspace.write(Tensor(shape: shape, elements: x), to: input)
      convolution.run(
        .floats(input), into: .floats(output), scratch: scratch, in: workspace, on: team)
      let size = shape.area * test.input
      let expected = (0..<test.count).flatMap { image in
        expectedMap(
          ReferenceConvolution.Map(
            height: test.height, width: test.width, channels: test.input,
            elements: x[image * size..<(image + 1) * size].map(Double.init)),
          test, padding: padding, kernels: kernels, bias: bias, reluChannels: reluChannels)
      }
      return (workspace.tensor(at: output), expected)
    }
  }

  static func expectedMap(
    _ map: ReferenceConvolution.Map, _ test: UpConvolutionCase, padding: UpConvolution.Padding,
    kernels: [[Float]], bias: [Float], reluChannels: Range<Int>
  ) -> [Double] {
    var expected = [Double](repeating: 0, count: 4 * test.height * test.width * test.output)
    for phase in UpConvolution.Phase.allCases {
      // Three taps are padded on both sides. Two taps are padded on the side of `padding`.
      let twoTap = padding == .topLeft ? 1 : 0
      let part = ReferenceConvolution.convolved(
        map, kernel: kernels[phase.index], kernelHeight: phase.kernelHeight,
        kernelWidth: phase.kernelWidth, top: phase.kernelHeight == 3 ? 1 : twoTap,
        left: phase.kernelWidth == 3 ? 1 : twoTap, outputHeight: test.height,
        outputWidth: test.width,
        bias: Array(bias[phase.index * test.output..<(phase.index + 1) * test.output]))
      let (row, column) = (phase.kernelHeight == 3 ? 0 : 1, phase.kernelWidth == 3 ? 0 : 1)
      for y in 0..<test.height {
        for x in 0..<test.width {
          for c in 0..<test.output {
            let value = part.elements[(y * test.width + x) * test.output + c]
            let pixel = (2 * y + row) * 2 * test.width + 2 * x + column
            expected[pixel * test.output + c] = reluChannels.contains(c) ? max(value, 0) : value
          }
        }
      }
    }
    return expected
  }

  @Test(
    "an up-convolution by Winograd's algorithm matches its formula",
    arguments: allBackends, UpConvolutionCase.all)
  func matchesFormula(backend: GEMMBackend, test: UpConvolutionCase) throws {
    for padding in UpConvolution.Padding.allCases {
      for tile in [2, 4] {
        let (result, expected) = try Self.run(
          test, padding: padding, algorithm: .winograd(tile: tile), backend: backend, threads: 2)
        let size = Double(9 * test.input).squareRoot()
        expectClose(
          result.elements, expected, absolute: 3e-6 * size,
          "\(test.testDescription), \(padding), tile \(tile)")
      }
    }
  }

  @Test(
    "an up-convolution gives equal bits on any number of threads",
    arguments: allBackends, UpConvolutionCase.all)
  func bitsDoNotDependOnThreads(backend: GEMMBackend, test: UpConvolutionCase) throws {
    let tile4 = ConvolutionAlgorithm.winograd(tile: 4)
    let one = try Self.run(
      test, padding: .topLeft, algorithm: tile4, backend: backend, threads: 1)
    for threads in [2, 4] {
      let other = try Self.run(
        test, padding: .topLeft, algorithm: tile4, backend: backend, threads: threads)
      #expect(other.result == one.result)
    }
  }
}
