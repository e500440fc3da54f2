import DepthBase
import Testing
import _TestSupport

@testable import NeuralEngine

@Suite struct LayerNormTests {
  @Test(
    "layer normalization matches its formula on any number of threads",
    arguments: InstructionSet.supported, [1, 3, 7, 16, 31, 33, 64, 65, 130, 384])
  func equalsTheFormula(set: InstructionSet, channels: Int) throws {
    let shape = Tensor.Shape(count: 2, height: 1, width: 67, channels: channels)
    var x = Tensor.noise("x", shape)
    // As in trained transformers, a few channels have far larger values.
    x = Tensor(
      shape: shape,
      elements: x.elements.enumerated().map { $1 + ($0 % channels == 1 ? 300 : 0) })
    let (gamma, beta) = (noise("gamma", channels), noise("beta", channels))
    let norm = LayerNormalization(gamma: gamma, beta: beta, epsilon: 1e-6)
    let found = try run(norm, x, on: set)
    let expected = (0..<2).flatMap {
      ReferenceTransformer.normalized(x.map(image: $0), gamma: gamma, beta: beta).elements
    }
    expectClose(found.elements, expected, absolute: 3e-5)
    #expect(try run(norm, x, on: set, threads: 3) == found)
  }

  /// The result omits the class token, which is the first token.
  @Test(
    "layer normalization with a patch map gives tokens the map's shape",
    arguments: InstructionSet.supported)
  func laysTokensOut(set: InstructionSet) throws {
    let (gamma, beta) = (noise("gamma", 20), noise("beta", 20))
    let norm = LayerNormalization(gamma: gamma, beta: beta, epsilon: 1e-6)
    let patches = Tensor.noise("p", .init(count: 2, height: 9, width: 11, channels: 20))
    let tokens = Tensor.noise("x", .init(count: 2, height: 1, width: 100, channels: 20))
    let plain = try run(norm, tokens, on: set)
    let found = try run(norm, patches, tokens, on: set, threads: 2)
    #expect(found.shape == patches.shape)
    #expect(
      found.elements == Array(plain.elements[20..<2000]) + Array(plain.elements[2020..<4000]))
  }
}
