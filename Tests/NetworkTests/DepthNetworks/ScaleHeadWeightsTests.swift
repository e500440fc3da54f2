import DepthErrors
import DepthNetworks
import Foundation
import HDF5Files
import Testing
import _TestSupport

@testable import NeuralEngine

/// Weights files with a scale head, and with an exponent of the focal length.
@Suite struct ScaleHeadWeightsTests {
  private static let shape = Tensor.Shape(count: 2, height: 64, width: 96, channels: 3)

  /// Small weights with a head, as large as its features are.
  private static func withHead(_ base: GeneratedWeights = .lite2()) throws -> EditedWeights {
    var weights = EditedWeights(base)
    let channels = try FCRN(base).output.ordered().first { $0.layer == "layer1" }?.inputs[0]
      .channels
    let count = try #require(channels)
    weights.tensors["scale_head/kernel"] = .init(
      shape: [1, count, 1, 1],
      elements: (0..<count).map { Float(CounterStream("head")[$0] & 255) / 512 - 0.25 })
    weights.tensors["scale_head/bias"] = .init(shape: [1], elements: [0.25])
    return weights
  }

  private static func run(
    _ weights: any WeightArchive, keeping names: Set<String> = []
  ) throws -> (output: Tensor, kept: [String: Tensor]) {
    let stream = CounterStream("photo")
    let input = Tensor(
      shape: shape, elements: (0..<shape.elementCount).map { Float(stream[$0] & 255) - 127 })
    let program = try FCRN(weights).output.compiled(forInput: shape, threads: 2)
    return try program.run(
      input, in: .init(program.memoryPlan(forInput: shape, threads: 2)), keeping: names)
  }

  @Test func headScalesDepthByTheEncodersMean() throws {
    let weights = try Self.withHead()
    let plain = try Self.run(GeneratedWeights.lite2()).output
    let found = try Self.run(weights, keeping: ["block7a_project"])
    let numbers = referenceScaleNumbers(
      features: try #require(found.kept["block7a_project"]),
      weights: try weights.elements(of: "scale_head/kernel"), bias: 0.25)
    for index in stride(from: 0, to: plain.elements.count, by: 2) {
      let expected =
        Double(plain.elements[index]) * exp(numbers[index / (2 * plain.shape.area)])
      #expect(abs(Double(found.output.elements[index]) - expected) <= 1e-4 * expected)
      #expect(found.output.elements[index + 1] == plain.elements[index + 1])
    }
    var zero = weights
    let count = try weights.elements(of: "scale_head/kernel").count
    zero.tensors["scale_head/kernel"]?.elements = .init(repeating: 0, count: count)
    zero.tensors["scale_head/bias"]?.elements = [0]
    #expect(try Self.run(zero).output == plain)
  }

  private func refusal(_ weights: any WeightArchive) throws -> String {
    let error = try #require(throws: DepthError.self) { try FCRN(weights) }
    #expect(error.code == .weightsMismatch)
    return error.message
  }

  @Test func headsThatFitNoNetworkAreRefused() throws {
    var weights = try Self.withHead()
    weights.attributes = ["output_activation": .text("relu"), "outputs": .integers([1])]
    #expect(
      try refusal(weights)
        == "attribute 'output_activation' is 'relu', expected output_activation 'exp' in a file "
        + "with a scale_head")
    weights = EditedWeights(GeneratedWeights(widthDivisor: 16))
    weights.tensors["scale_head/bias"] = .init(shape: [1], elements: [0])
    #expect(
      try refusal(weights)
        == "attribute 'final_relu' is 1, expected output_activation 'exp' in a file with a scale_head"
    )
    weights = try Self.withHead()
    weights.tensors["scale_head/kernel"] = .init(shape: [1, 3, 1, 1], elements: [0, 0, 0])
    let count = try #require(Self.withHead().shapes["scale_head/kernel"])[1]
    #expect(
      try refusal(weights)
        == "tensor 'scale_head/kernel' has shape 1×3×1×1, expected 1×\(count)×1×1")
    weights = try Self.withHead()
    weights.tensors["scale_head/bias"] = nil
    #expect(
      try refusal(weights) == "tensor 'scale_head/bias' is missing, expected shape 1")
  }

  @Test func exponentIsAnAttribute() throws {
    var weights = EditedWeights(GeneratedWeights(widthDivisor: 16))
    #expect(try FCRNConfiguration(weights).focalExponent == 1)
    weights.attributes["focal_exponent"] = .numbers([0.5])
    #expect(try FCRNConfiguration(weights).focalExponent == 0.5)
    weights.attributes["focal_exponent"] = .numbers([-0.5])
    #expect(
      try refusal(weights) == "attribute 'focal_exponent' is -0.5, expected a number in 0.0...2.0")
  }
}
