import DepthBase
import Foundation
import Testing
import _TestSupport

@testable import NeuralEngine

@Suite struct QuantizedTokenProductTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var tokens, inputs, outputs: Int
    var testDescription: String { "\(tokens) tokens, \(inputs)→\(outputs)" }
  }

  static let cases = [
    Case(tokens: 1, inputs: 4, outputs: 1), Case(tokens: 13, inputs: 64, outputs: 33),
    Case(tokens: 97, inputs: 70, outputs: 64), Case(tokens: 200, inputs: 128, outputs: 300),
    Case(tokens: 30, inputs: 513, outputs: 17),
  ]

  static func run(
    _ test: Case, on set: Int8InstructionSet, activation: Activation, threads: Int
  ) throws -> Tensor {
    let shape = Tensor.Shape(height: 1, width: test.tokens, channels: test.inputs)
    return try ThreadTeam.run(threads: threads) { team in
      let layer = try QuantizedTokenProduct(
        .init(
          kernelHeight: 1, kernelWidth: 1, inputChannels: test.inputs,
          outputChannels: test.outputs), kernels: { Self.kernels(test, $0) },
        bias: noise("bias", test.outputs), activation: activation, instructionSet: set, on: team)
      let input = FeatureMap(shape: shape, offset: 0)
      let output = FeatureMap(
        shape: layer.outputShape(for: shape), offset: Workspace.aligned(input.extent))
      let added = FeatureMap(
        shape: output.shape, offset: output.offset + Workspace.aligned(output.extent))
      let scratch = added.offset + Workspace.aligned(added.extent)
      let workspace = Workspace(
        capacity: scratch + layer.scratchCount(for: shape, threads: threads))
      workspace.write(tokens(test), to: input)
      workspace.write(.noise("added", added.shape), to: added)
      layer.run(
        LayerRun(
          inputMap: .floats(input), secondMap: activation == .none ? .floats(added) : nil,
          outputMap: .floats(output), scratch: scratch, workspace: workspace,
          backend: .packed(set.vectors), team: team))
      return workspace.tensor(at: output)
    }
  }

  /// Tokens of very different magnitudes, including a zero token.
  static func tokens(_ test: Case) -> Tensor {
    let shape = Tensor.Shape(height: 1, width: test.tokens, channels: test.inputs)
    let values = noise("tokens", shape.elementCount)
    return Tensor(
      shape: shape,
      elements: values.enumerated().map { index, value in
        let token = index / test.inputs
        return token == 5 ? 0 : value * Float(1 << (token % 12))
      })
  }

  static func kernels(_ test: Case, _ channels: Range<Int>) -> (values: [Int8], scales: [Double]) {
    let values = noise("kernel", test.outputs * test.inputs)
    let rows = channels.lowerBound * test.inputs..<channels.upperBound * test.inputs
    return (
      values[rows].map { Int8(($0 * 127).rounded()) }, channels.map { 0.001 * Double($0 + 1) }
    )
  }

  static func expected(_ test: Case, adds: Bool) -> [Float] {
    let (kernels, scales) = kernels(test, 0..<test.outputs)
    return ReferenceTokenProduct.outputs(
      of: tokens(test).elements, inputs: test.inputs, kernels: kernels, scales: scales,
      bias: noise("bias", test.outputs),
      adding: adds ? noise("added", test.tokens * test.outputs) : nil)
  }

  @Test(
    "a product of quantized tokens equals exact sums",
    arguments: Int8InstructionSet.supported + Int8InstructionSet.models, cases)
  func equalsExactSums(set: Int8InstructionSet, test: Case) throws {
    let expected = Self.expected(test, adds: true)
    for threads in 1...3 {
      let found = try Self.run(test, on: set, activation: .none, threads: threads)
      #expect(found.elements == expected)
    }
    let plain = Self.expected(test, adds: false)
    let activated = try Self.run(test, on: set, activation: .gelu, threads: 2)
    #expect(activated.elements == GELUTests.run(plain, on: .baseline))
  }
}
