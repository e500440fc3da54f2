import SIMDKernels
import Testing
import ThreadTeams
import _TestSupport

@testable import NeuralEngine

@Suite(.offPool) struct SelfAttentionTests {
  /// Tokens around the sizes of vectors, blocks of queries (96) and blocks of keys (512).
  static let cases = [(1, 1), (2, 2), (17, 3), (33, 1), (95, 1), (97, 2), (513, 1), (600, 1)]

  @Test(arguments: InstructionSet.supported, cases)
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

  /// A score that is far larger than all others takes the whole sum, in whichever block of keys it is.
  @Test(arguments: [0, 3, 511, 512, 699]) func largeScoresDoNotOverflow(key: Int) throws {
    let shape = Tensor.Shape(height: 1, width: 700, channels: 192)
    var elements = Tensor.noise("x", shape).elements
    for c in 0..<64 {
      for token in 0..<700 { elements[token * 192 + c] = 1 }
      elements[key * 192 + 64 + c] = 300
    }
    let found = try run(
      SelfAttention(heads: 1), Tensor(shape: shape, elements: elements), threads: 2)
    let value = Array(elements[key * 192 + 128..<key * 192 + 192])
    for token in [0, 350, 699] {
      expectClose(
        Array(found.elements[token * 64..<token * 64 + 64]), value, absolute: 1e-6)
    }
  }

  /// Scratch grows with the tokens, not with their square.
  @Test func memoryIsLinearInTokens() {
    let attention = SelfAttention(heads: 6)
    func count(_ tokens: Int) -> Int {
      attention.scratchCount(
        for: .init(height: 1, width: tokens, channels: 1152), threads: 2)
    }
    #expect(count(8000) < 2 * count(4000))
  }
}
