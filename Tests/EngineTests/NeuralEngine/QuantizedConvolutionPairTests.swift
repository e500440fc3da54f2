import DepthBase
import Testing

@testable import NeuralEngine

/// A pair of convolutions in strips equals two separate convolutions.
@Suite struct QuantizedConvolutionPairTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var count = 1
    var height, width, input, between, output: Int
    var hasResidual = false
    var activation = Activation.none

    var testDescription: String {
      "\(input)→\(between)→\(output) on \(count)×\(height)×\(width), \(activation)"
        + (hasResidual ? ", residual" : "")
    }
  }

  static let cases: [Case] = [
    .init(height: 1, width: 1, input: 4, between: 3, output: 1),
    .init(height: 5, width: 7, input: 9, between: 10, output: 2, hasResidual: true),
    // The map has several strips, and the last strip is lower.
    .init(height: 23, width: 100, input: 16, between: 64, output: 1, hasResidual: true),
    .init(
      count: 2, height: 19, width: 97, input: 5, between: 70, output: 2, hasResidual: true,
      activation: .exp),
    .init(count: 3, height: 3, width: 17, input: 8, between: 20, output: 1, activation: .relu),
    // Winograd's algorithm with partial tiles, if the instruction set has the algorithm.
    .init(height: 23, width: 70, input: 35, between: 84, output: 1, hasResidual: true),
    // One line is longer than the limit of a strip.
    .init(height: 4, width: 700, input: 3, between: 72, output: 1),
  ]

  @Test("a pair in strips equals two single layers", arguments: Int8InstructionSet.tested, cases)
  func equalsOneAfterTheOther(set: Int8InstructionSet, test: Case) throws {
    for threads in 1...3 {
      for backend in [GEMMBackend.best, .fused(.baseline)] {
        let (found, expected) = try Self.run(test, on: set, backend: backend, threads: threads)
        #expect(found == expected, "\(threads) threads, \(backend)")
        #expect(Set(expected.elements).count > min(expected.elements.count / 4, 100))
      }
    }
  }

  private static func run(
    _ test: Case, on set: Int8InstructionSet, backend: GEMMBackend, threads: Int
  ) throws -> (found: Tensor, expected: Tensor) {
    let geometry = ConvolutionGeometry(
      kernelHeight: 3, kernelWidth: 3, stride: 1, inputChannels: test.input,
      outputChannels: test.between)
    let shape = Tensor.Shape(
      count: test.count, height: test.height, width: test.width, channels: test.input)
    let between = geometry.outputShape(for: shape)
    let weights = QuantizedConvolutionTests.weights("w", 9 * test.input * test.between)
    let kernels = noise("k", 9 * test.between * test.output)
    let added = test.hasResidual ? MapQuantization(scale: 0.0051, zeroPoint: 128) : nil
    return try ThreadTeam.run(threads: threads) { team in
      var packing = DeferredPacking()
      let first = QuantizedConvolution(
        geometry,
        kernels: { range in
          (
            Array(
              weights[range.lowerBound * 9 * test.input..<range.upperBound * 9 * test.input]),
            range.map { 0.0001 * Double($0 + 1) }
          )
        }, bias: noise("bias", test.between), activation: .relu,
        maps: .init(
          input: MapQuantization(scale: 0.01, zeroPoint: 0), output: nil, residual: added),
        instructionSet: set, packing: &packing)
      try packing.run(on: team)
      let second = try Convolution(
        ConvolutionGeometry(
          kernelHeight: 3, kernelWidth: 3, stride: 1, inputChannels: test.between,
          outputChannels: test.output),
        kernels: {
          Array(kernels[$0.lowerBound * 9 * test.between..<$0.upperBound * 9 * test.between])
        }, bias: noise("second", test.output), activation: test.activation, algorithm: .tapSum,
        backend: backend, on: team)
      let pair = QuantizedConvolutionPair(first, second)
      let map = QuantizedMap(shape: shape, offset: 0)
      let residual = QuantizedMap(shape: between, offset: map.extent)
      let whole = FeatureMap(shape: between, offset: residual.offset + residual.extent)
      let expected = FeatureMap(
        shape: pair.outputShape(for: shape), offset: whole.offset + Workspace.aligned(whole.extent))
      let found = FeatureMap(
        shape: expected.shape, offset: expected.offset + Workspace.aligned(expected.extent))
      let scratch = found.offset + Workspace.aligned(found.extent)
      let workspace = Workspace(
        capacity: scratch
          + max(
            first.scratchCount(for: shape, threads: threads),
            pair.scratchCount(for: shape, threads: threads),
            second.scratchCount(for: between, threads: threads)))
      workspace.write(QuantizedConvolutionTests.values("x", shape.elementCount), to: map)
      workspace.fillBorder(of: map, with: [UInt8](repeating: 0, count: test.input))
      workspace.write(QuantizedConvolutionTests.values("r", between.elementCount), to: residual)
      let sum = test.hasResidual ? residual : nil
      first.run(
        .quantized(map), adding: sum, into: .floats(whole), scratch: scratch, in: workspace,
        on: team)
      second.run(whole, into: expected, scratch: scratch, in: workspace, on: team)
      pair.run(
        .quantized(map), adding: sum, into: .floats(found), scratch: scratch, in: workspace,
        on: team)
      return (workspace.tensor(at: found), workspace.tensor(at: expected))
    }
  }
}
