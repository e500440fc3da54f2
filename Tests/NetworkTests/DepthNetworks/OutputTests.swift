import DepthErrors
import DepthNetworks
import Foundation
import HDF5Files
import NeuralEngine
import Testing
import _TestSupport

/// Outputs other than metres, and the attributes that state these outputs.
@Suite struct OutputTests {
  static let residual = GeneratedWeights(widthDivisor: 16)

  private func refusal(
    _ base: GeneratedWeights, _ attributes: [String: HDF5Attribute], removing: Set<String> = []
  ) throws -> String {
    var edited = EditedWeights(base)
    edited.attributes = attributes
    edited.removedAttributes = removing
    let error = try #require(throws: DepthError.self) { try FCRN(edited) }
    #expect(error.code == .weightsMismatch)
    return error.message
  }

  @Test("attributes that contradict each other are refused")
  func attributesThatExcludeEachOtherAreRefused() throws {
    let one = HDF5Attribute.integers([1])
    #expect(
      try refusal(Self.residual, ["outputs": .integers([2])])
        == "attribute 'outputs' is 2, expected 1 where output_activation is not 'exp'")
    #expect(
      try refusal(Self.residual, ["skip_connections": one])
        == "attribute 'skip_connections' is 1, expected 0, since the maps of "
        + "'fcrn-resnet50-upproj' have other sizes than its up-projections'")
    #expect(
      try refusal(.lite2(), ["bn_folded": .integers([0])])
        == "attribute 'bn_folded' is 0, expected 1 as in every file of "
        + "'fcrn-efficientnet-lite2-upproj'")
    #expect(
      try refusal(.lite2(), [:], removing: ["bn_folded"])
        .hasPrefix("attribute 'bn_folded' is missing, expected 1"))
    #expect(
      try refusal(.lite2(), ["input_width": .integers([304])])
        == "attribute 'input_width' is 304, expected a multiple of 32 where skip_connections is 1")
    #expect(
      try refusal(.lite2(), ["output_activation": .text("tanh")])
        == "attribute 'output_activation' is 'tanh', expected 'relu' or 'none' or 'exp'")
    #expect(
      try refusal(.lite2(), [:], removing: ["output_activation"])
        .hasPrefix("attribute 'final_relu' is missing"))
    for (name, value) in [("outputs", 3), ("global_context", 2), ("skip_connections", -1)] {
      #expect(try refusal(.lite2(), [name: .integers([value])]).contains("'\(name)' is \(value)"))
    }
  }

  /// Files that lack a stated part, or contain a part that no attribute states.
  @Test("tensors must match the parts that the attributes state")
  func weightsAreThoseOfTheAttributes() throws {
    #expect(
      try refusal(Self.residual, ["global_context": .integers([1])])
        == "tensor 'layer1_context/kernel' is missing, expected shape 64×64×1×1")
    #expect(
      try refusal(.lite2(), ["global_context": .integers([0])])
        == "2 tensors belong to no layer of the network, first 'layer1_context/bias'")
    #expect(
      try refusal(.lite2(), ["skip_connections": .integers([0])])
        == "8 tensors belong to no layer of the network, first 'layer16x_skip/bias'")
    #expect(
      try refusal(.lite2(), ["outputs": .integers([1])])
        == "tensor 'ConvPred/kernel' has shape 2×4×3×3, expected 1×4×3×3")
  }

  private func output(_ weights: any WeightArchive) throws -> Tensor {
    let network = try FCRN(weights)
    let shape = Tensor.Shape(height: 65, width: 97, channels: 3)
    let program = try network.output.compiled(forInput: shape, threads: 2)
    let stream = CounterStream("photo")
    let input = Tensor(
      shape: shape, elements: (0..<shape.elementCount).map { Float(stream[$0] & 255) })
    return try program.run(input, in: .init(program.memoryPlan(forInput: shape, threads: 2)))
      .output
  }

  /// `output_activation` overrides `final_relu`.
  @Test("FCRN-50 may have a global context and two outputs")
  func residualNetworksMayHaveContext() throws {
    var linear = EditedWeights(Self.residual)
    linear.attributes["final_relu"] = .integers([0])
    let expected = try output(linear)
    linear.attributes = ["output_activation": .text("none")]
    linear.removedAttributes = ["final_relu"]
    #expect(try output(linear) == expected)

    var both = EditedWeights(Self.residual)
    both.attributes = [
      "output_activation": .text("exp"), "outputs": .integers([2]),
      "global_context": .integers([1]), "final_relu": .text("whatever"),
    ]
    // The context is zero, and the second channel is the negative of the first channel.
    both.tensors["layer1_context/kernel"] = .init(
      shape: [64, 64, 1, 1], elements: .init(repeating: 0, count: 64 * 64))
    both.tensors["layer1_context/bias"] = .init(
      shape: [64], elements: .init(repeating: 0, count: 64))
    let kernel = try Self.residual.elements(of: "ConvPred/kernel")
    both.tensors["ConvPred/kernel"] = .init(
      shape: [2, 4, 3, 3], elements: kernel + kernel.map { -$0 })
    both.tensors["ConvPred/bias"] = .init(shape: [2], elements: [3, -3])
    let found = try output(both)
    #expect(found.shape.channels == 2)
    for (pixel, depth) in expected.elements.enumerated() {
      let (a, b) = (found.elements[2 * pixel], found.elements[2 * pixel + 1])
      #expect(abs(log(a) - depth) < 1e-4 && abs(a * b - 1) < 1e-5)
    }
  }
}
