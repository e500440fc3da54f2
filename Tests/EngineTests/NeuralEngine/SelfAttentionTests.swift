import DepthBase
import Testing
import _TestSupport

@testable import NeuralEngine

@Suite struct SelfAttentionTests {
  /// Tokens around the sizes of vectors and blocks of queries (24).
  static let cases = [
    (1, 1), (2, 2), (17, 3), (23, 1), (25, 2), (33, 1), (95, 1), (97, 2), (513, 1), (600, 1),
  ]

  /// More tokens than one block of keys has (2048). Every thousandth query is compared.
  static let manyTokens = 2071
  static let fewQueries = Array(stride(from: 0, to: manyTokens, by: 1000))

  @Test("attention matches its formula over blocks of keys", arguments: InstructionSet.supported)
  func equalsTheFormulaOverBlocks(set: InstructionSet) throws {
    let x = Tensor.noise(
      "x", .init(height: 1, width: Self.manyTokens, channels: 192), scale: 2)
    let found = try run(SelfAttention(heads: 1), x, on: set, threads: 2)
    let expected = ReferenceTransformer.attention(x.map(), heads: 1, queries: Self.fewQueries)
    for query in Self.fewQueries {
      let channels = query * 64..<query * 64 + 64
      expectClose(
        Array(found.elements[channels]), Array(expected.elements[channels]), absolute: 2e-6)
    }
  }

  @Test(
    "attention matches its formula on any number of threads",
    arguments: InstructionSet.supported, cases)
  func equalsTheFormula(set: InstructionSet, size: (tokens: Int, heads: Int)) throws {
    let shape = Tensor.Shape(
      count: 2, height: 1, width: size.tokens, channels: 3 * 64 * size.heads)
    let x = Tensor.noise("x", shape, scale: 2)
    let attention = SelfAttention(heads: size.heads)
    let found = try run(attention, x, on: set)
    let expected = (0..<2).flatMap {
      ReferenceTransformer.attention(x.map(image: $0), heads: size.heads).elements
    }
    expectClose(found.elements, expected, absolute: 2e-6)
    for threads in 2...3 {
      #expect(try run(attention, x, on: set, threads: threads) == found)
    }
  }

  /// The score may be in any block of keys.
  @Test("a dominant score gets all of the weight", arguments: [0, 3, 2047, 2048, 2099])
  func largeScoresDoNotOverflow(key: Int) throws {
    let shape = Tensor.Shape(height: 1, width: 2100, channels: 192)
    var elements = Tensor.noise("x", shape).elements
    for c in 0..<64 {
      for token in 0..<2100 { elements[token * 192 + c] = 1 }
      elements[key * 192 + 64 + c] = 300
    }
    let found = try run(
      SelfAttention(heads: 1), Tensor(shape: shape, elements: elements), threads: 2)
    let value = Array(elements[key * 192 + 128..<key * 192 + 192])
    for token in [0, 350, 2099] {
      expectClose(
        Array(found.elements[token * 64..<token * 64 + 64]), value, absolute: 1e-6)
    }
  }

  @Test("attention's memory is linear in the number of tokens") func memoryIsLinearInTokens() {
    let attention = SelfAttention(heads: 6)
    func count(_ tokens: Int) -> Int {
      attention.scratchCount(
        for: .init(height: 1, width: tokens, channels: 1152), threads: 2)
    }
    #expect(count(8000) < 2 * count(4000))
  }
}
