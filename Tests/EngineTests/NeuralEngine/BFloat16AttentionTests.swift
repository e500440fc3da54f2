import DepthBase
import Testing
import _TestSupport

@testable import NeuralEngine

/// Attention in bfloat16 against the formula of the rounded queries, keys and values in 64-bit floats.
@Suite struct BFloat16AttentionTests {
  private static let sets = BFloat16InstructionSet.models + BFloat16InstructionSet.supported

  /// The nearest bfloat16.
  private func rounded(_ x: Tensor) -> Tensor {
    Tensor(
      shape: x.shape,
      elements: x.elements.map {
        let bits = $0.bitPattern
        return Float(bitPattern: (bits + 0x7FFF + (bits >> 16 & 1)) & 0xFFFF_0000)
      })
  }

  @Test(arguments: sets, SelfAttentionTests.cases)
  func equalsTheFormulaOfRoundedTokens(
    set: BFloat16InstructionSet, size: (tokens: Int, heads: Int)
  ) throws {
    let shape = Tensor.Shape(
      count: 2, height: 1, width: size.tokens, channels: 3 * 64 * size.heads)
    let x = rounded(Tensor.noise("x", shape, scale: 2))
    let attention = SelfAttention(heads: size.heads)
    let found = try run(attention, x, on: set.vectors, bfloat16: set)
    let expected = (0..<2).flatMap {
      ReferenceTransformer.attention(x.map(image: $0), heads: size.heads).elements
    }
    // Only the softmax's results are rounded, each by at most 2⁻⁹ of itself; values are in −2 … 2.
    expectClose(found.elements, expected, absolute: 2 / 512 + 1e-5)
    for threads in 2...3 {
      #expect(try run(attention, x, on: set.vectors, threads: threads, bfloat16: set) == found)
    }
    #expect(try run(attention, x, on: set.vectors) != found || size.tokens == 1)
  }

  /// With one token the softmax is 1, and the result is the rounded value.
  @Test(arguments: sets) func tokensAreRounded(set: BFloat16InstructionSet) throws {
    let x = Tensor.noise("x", .init(height: 1, width: 1, channels: 192), scale: 2)
    let found = try run(SelfAttention(heads: 1), x, on: set.vectors, bfloat16: set)
    #expect(found.elements == Array(rounded(x).elements[128...]))
  }

  /// The first key, and those on both sides of the end of a block of keys. Models, which are slow, get one of them: blocks are the same
  /// for every instruction set.
  private static let largeScores =
    BFloat16InstructionSet.models.enumerated().map { ($1, [2047, 2048][$0 % 2]) }
    + BFloat16InstructionSet.supported.flatMap { set in [0, 2047, 2048].map { (set, $0) } }

  @Test(arguments: largeScores)
  func largeScoresDoNotOverflow(set: BFloat16InstructionSet, key: Int) throws {
    let shape = Tensor.Shape(height: 1, width: 2100, channels: 192)
    var elements = rounded(Tensor.noise("x", shape)).elements
    for c in 0..<64 {
      for token in 0..<2100 { elements[token * 192 + c] = 1 }
      elements[key * 192 + 64 + c] = 300
    }
    let found = try run(
      SelfAttention(heads: 1), Tensor(shape: shape, elements: elements), on: set.vectors,
      threads: 2, bfloat16: set)
    let value = Array(elements[key * 192 + 128..<key * 192 + 192])
    for token in [0, 350, 2099] {
      expectClose(Array(found.elements[token * 64..<token * 64 + 64]), value, absolute: 1e-6)
    }
  }
}
