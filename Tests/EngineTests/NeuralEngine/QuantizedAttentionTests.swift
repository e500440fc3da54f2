import DepthBase
import Testing
import _TestSupport

@testable import NeuralEngine

/// Attention of quantized queries and keys equals the 64-bit formula of the dequantized values.
@Suite struct QuantizedAttentionTests {
  private static let sets = Int8InstructionSet.supported + Int8InstructionSet.models

  /// The dequantized values of one vector, whose scale is its largest magnitude / 127.
  private static func quantized(_ values: [Float]) -> [Double] {
    let top = values.reduce(Float(0)) { max($0, abs($1)) }
    let factor = top > 0 ? 127 / top : 0
    return values.map {
      Double(($0 * factor + 128).rounded(.toNearestOrEven) - 128) * Double(top / 127)
    }
  }

  /// Tokens with dequantized queries; each head's mean key is subtracted before keys are quantized.
  static func quantized(_ x: Tensor, heads: Int) -> ReferenceConvolution.Map {
    var map = x.map()
    let (tokens, stride, width) = (x.shape.area, 192 * heads, 64 * heads)
    func vector(_ first: Int) -> [Float] { Array(x.elements[first..<first + 64]) }
    for head in 0..<heads {
      var mean = [Float](repeating: 0, count: 64)
      for token in 0..<tokens {
        for (c, key) in vector(token * stride + width + head * 64).enumerated() { mean[c] += key }
      }
      for c in 0..<64 { mean[c] /= Float(tokens) }
      for token in 0..<tokens {
        let query = token * stride + head * 64
        map.elements.replaceSubrange(query..<query + 64, with: quantized(vector(query)))
        let key = query + width
        let centered = zip(vector(key), mean).map { $0 - $1 }
        map.elements.replaceSubrange(key..<key + 64, with: quantized(centered))
      }
    }
    return map
  }

  /// Noise around a larger mean, as in keys of real networks.
  static func tokens(_ count: Int, heads: Int) -> Tensor {
    let x = Tensor.noise("x", .init(height: 1, width: count, channels: 192 * heads), scale: 2)
    let elements = x.elements.enumerated().map { index, value in
      index / (64 * heads) % 3 == 1 ? value + Float(index % 64) / 8 - 4 : value
    }
    return Tensor(shape: x.shape, elements: elements)
  }

  @Test(
    "quantized attention matches the formula of the quantized values",
    arguments: sets, SelfAttentionTests.cases)
  func equalsTheFormula(set: Int8InstructionSet, size: (tokens: Int, heads: Int)) throws {
    let x = Self.tokens(size.tokens, heads: size.heads)
    let attention = SelfAttention(heads: size.heads)
    let found = try run(attention, x, on: set.vectors, int8: set)
    let expected = ReferenceTransformer.attention(
      Self.quantized(x, heads: size.heads), heads: size.heads)
    expectClose(found.elements, expected.elements, absolute: 4e-6)
    for threads in 2...3 {
      #expect(try run(attention, x, on: set.vectors, threads: threads, int8: set) == found)
    }
  }

  @Test("quantized attention matches the formula over several blocks of keys", arguments: sets)
  func equalsTheFormulaOverBlocks(set: Int8InstructionSet) throws {
    let x = Self.tokens(SelfAttentionTests.manyTokens, heads: 1)
    let found = try run(SelfAttention(heads: 1), x, on: set.vectors, threads: 2, int8: set)
    let queries = SelfAttentionTests.fewQueries
    let expected = ReferenceTransformer.attention(
      Self.quantized(x, heads: 1), heads: 1, queries: queries)
    for query in queries {
      let channels = query * 64..<query * 64 + 64
      expectClose(
        Array(found.elements[channels]), Array(expected.elements[channels]), absolute: 4e-6)
    }
  }

  /// The mean is subtracted from equal keys, which become zero. All values then have equal weights.
  @Test("equal keys give the mean of all values", arguments: sets)
  func equalKeysShareAlike(set: Int8InstructionSet) throws {
    let noise = Tensor.noise("x", .init(height: 1, width: 8, channels: 192))
    let x = Tensor(
      shape: noise.shape,
      elements: noise.elements.enumerated().map { index, value in
        (64..<128).contains(index % 192) ? Float(index % 192) : value
      })
    let found = try run(SelfAttention(heads: 1), x, on: set.vectors, int8: set)
    for c in 0..<64 {
      let mean = (0..<8).reduce(0) { $0 + Double(x.elements[$1 * 192 + 128 + c]) } / 8
      #expect(abs(Double(found.elements[c]) - mean) < 1e-6)
    }
  }
}
