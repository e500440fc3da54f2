import DepthBase
import Testing
import _TestSupport

@testable import NeuralEngine

/// The summation order of each instruction, shown by sums such as 2²⁴ + 1, which rounds to 2²⁴ in 32 bits.
@Suite struct BFloat16InstructionTests {
  static let large: Float = 0x1p24

  /// Σ a · b.
  static func sum(_ a: [Float], _ b: [Float], on set: BFloat16InstructionSet) -> Float {
    set.product(a, b, rows: 1, columns: 1)[0]
  }

  @Test(arguments: BFloat16InstructionSet.tested)
  func oddProductsComeFirst(set: BFloat16InstructionSet) {
    let (large, ones) = (Self.large, [Float](repeating: 1, count: 4))
    // (2²⁴ + 1) − 2²⁴ is 0 in a chain, odd product first, and 1 with the even product first. Tiles: −2²⁴ + 2²⁴ in the even
    // chain, 1 in the odd one.
    #expect(Self.sum([large, 0, -large, 1], ones, on: set) == (set.hasTiles ? 1 : 0))
    // 2²⁴ + 1 + 1 is 2²⁴ in a chain, and where each 1 is added by itself.
    #expect(Self.sum([large, 0, 1, 1], ones, on: set) == large)
    // Tiles: 2²⁴ − 2²⁴ is exact in the even chain.
    #expect(Self.sum([large, 1, -large, 0], ones, on: set) == (set.hasTiles ? 1 : 0))
    // The odd product of a pair is added to the sum before the even one.
    #expect(Self.sum([-large, large, 1, 0], ones, on: set) == 1)
  }

  /// Denormal values are zeros, and so are denormal sums.
  @Test(arguments: BFloat16InstructionSet.tested)
  func denormalsAreZeros(set: BFloat16InstructionSet) {
    #expect(Self.sum([0x1p-130, 0], [0x1p10, 0], on: set) == 0)
    #expect(Self.sum([0x1p-100, 0], [0x1p-30, 0], on: set) == 0)
    #expect(Self.sum([0x1p-100, 0], [0x1p-26, 0], on: set) == 0x1p-126)
    // What is too small is decided after rounding to 24 bits.
    let least: Float = 0x1p-126
    #expect(Self.sum([0x1p-63, 0, 0x1p-76, 0], [0x1p-63, 0, -0x1p-76, 0], on: set) == least)
    #expect(Self.sum([0x1p-63, 0, 0x1p-75, 0], [0x1p-63, 0, -0x1p-75, 0], on: set) == 0)
    #expect(Self.sum([0x1p-100, 0x1.8p-100], [-0x1p-26, 0x1p-26], on: set) == 0)
  }
}
