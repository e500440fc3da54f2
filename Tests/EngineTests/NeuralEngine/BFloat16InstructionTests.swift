import DepthBase
import Testing
import _TestSupport

@testable import NeuralEngine

/// What tells the orders of additions apart, from the fact that 2²⁴ + 1 is no 32-bit float; and where bfloat16 is used.
@Suite struct BFloat16InstructionTests {
  static let large: Float = 0x1p24

  /// One output of a 1×1 convolution: Σ a · b.
  static func sum(_ a: [Float], _ b: [Float], on set: BFloat16InstructionSet) throws -> Float {
    try ThreadTeam.run(threads: 1) { team in
      let convolution = try Convolution(
        .init(kernelHeight: 1, kernelWidth: 1, inputChannels: a.count, outputChannels: 1),
        kernels: { _ in b }, bias: [0], activation: .none, algorithm: .bfloat16(set),
        backend: .best, on: team)
      let shape = Tensor.Shape(height: 1, width: 1, channels: a.count)
      let input = FeatureMap(shape: shape, offset: 0)
      var one = shape
      one.channels = 1
      let output = FeatureMap(shape: one, offset: Workspace.aligned(input.extent))
      let scratch = output.offset + 16
      let workspace = Workspace(
        capacity: scratch + convolution.scratchCount(for: shape, threads: 1))
      workspace.write(Tensor(shape: shape, elements: a), to: input)
      convolution.run(input, into: output, scratch: scratch, in: workspace, on: team)
      return workspace.tensor(at: output).elements[0]
    }
  }

  @Test(arguments: BFloat16InstructionSet.tested)
  func oddProductsComeFirst(set: BFloat16InstructionSet) throws {
    let (large, ones) = (Self.large, [Float](repeating: 1, count: 4))
    // (2²⁴ + 1) − 2²⁴ is 0 in a chain, odd product first, and 1 with the even product first. Tiles: −2²⁴ + 2²⁴ in the even
    // chain, 1 in the odd one.
    #expect(try Self.sum([large, 0, -large, 1], ones, on: set) == (set.hasTiles ? 1 : 0))
    // 2²⁴ + 1 + 1 is 2²⁴ in a chain, and where each 1 is added by itself.
    #expect(try Self.sum([large, 0, 1, 1], ones, on: set) == large)
    // Tiles: 2²⁴ − 2²⁴ is exact in the even chain.
    #expect(try Self.sum([large, 1, -large, 0], ones, on: set) == (set.hasTiles ? 1 : 0))
    // The odd product of a pair is added to the sum before the even one.
    #expect(try Self.sum([-large, large, 1, 0], ones, on: set) == 1)
  }

  /// Denormal values are zeros, and so are denormal sums.
  @Test(arguments: BFloat16InstructionSet.tested)
  func denormalsAreZeros(set: BFloat16InstructionSet) throws {
    #expect(try Self.sum([0x1p-130, 0], [0x1p10, 0], on: set) == 0)
    #expect(try Self.sum([0x1p-100, 0], [0x1p-30, 0], on: set) == 0)
    #expect(try Self.sum([0x1p-100, 0], [0x1p-26, 0], on: set) == 0x1p-126)
    // What is too small is decided after rounding to 24 bits.
    let least: Float = 0x1p-126
    #expect(try Self.sum([0x1p-63, 0, 0x1p-76, 0], [0x1p-63, 0, -0x1p-76, 0], on: set) == least)
    #expect(try Self.sum([0x1p-63, 0, 0x1p-75, 0], [0x1p-63, 0, -0x1p-75, 0], on: set) == 0)
    #expect(try Self.sum([0x1p-100, 0x1.8p-100], [-0x1p-26, 0x1p-26], on: set) == 0)
  }

  /// VDPBF16PS where the float kernels multiply without Winograd, or have little use for it; tiles everywhere but for a single
  /// column.
  @Test func bfloat16IsTakenWhereItIsFaster() {
    func best(
      _ kernel: Int, _ stride: Int, _ input: Int, _ output: Int, _ side: Int,
      _ set: BFloat16InstructionSet?
    ) -> ConvolutionAlgorithm {
      .best(
        for: .init(
          kernelHeight: kernel, kernelWidth: kernel, stride: stride, inputChannels: input,
          outputChannels: output),
        input: .init(height: side, width: side, channels: input), bfloat16: set)
    }
    let vectors = BFloat16InstructionSet.model
    for (kernel, stride) in [(1, 1), (1, 2), (3, 2), (7, 2)] {
      #expect(best(kernel, stride, 64, 64, 60, vectors) == .bfloat16(vectors))
      #expect(best(kernel, stride, 64, 64, 60, nil) != .bfloat16(vectors))
    }
    #expect(best(3, 1, 64, 64, 66, vectors) == .winograd(tile: 4))
    #expect(best(3, 1, 512, 512, 9, vectors) == .bfloat16(vectors))
    #expect(best(3, 1, 16, 16, 140, vectors) == .bfloat16(vectors))
    #expect(best(3, 1, 64, 64, 66, .amxModel) == .bfloat16(.amxModel))
    #expect(best(3, 1, 64, 1, 140, .amxModel) == .tapSum)
  }
}
