import DepthBase
import Foundation
import Testing

@testable import NeuralEngine

@Suite struct ExponentialTests {
  static func run(_ x: [Float], channels: Int = 1, on set: InstructionSet, threads: Int = 1)
    -> [Float]
  {
    let shape = Tensor.Shape(height: 1, width: x.count / channels, channels: channels)
    let map = FeatureMap(shape: shape, offset: 0)
    let workspace = Workspace(capacity: Workspace.aligned(map.extent))
    workspace.write(Tensor(shape: shape, elements: x), to: map)
    ThreadTeam.run(threads: threads) { Activation.exp.run(map, on: set, in: workspace, on: $0) }
    return workspace.tensor(at: map).elements
  }

  /// Values over the whole range, densest at −4 … 4, the logarithms of usual depths.
  static let values: [Float] =
    (0..<40_000).map { -87 + 175 * Float($0) / 40_000 }
    + (0..<40_001).map { -4 + 8 * Float($0) / 40_000 }

  @Test("the exponential function is within 2 ulp of the exact value") func isWithinTwoUlp() {
    let found = Self.run(Self.values, on: .baseline)
    var worst = 0.0
    for (x, y) in zip(Self.values, found) {
      let exact = exp(Double(x))
      worst = max(worst, abs(Double(y) - exact) / Double(Float(exact).ulp))
    }
    #expect(worst < 2, "\(worst) ulp")
    #expect(Self.run([0, -0.0], on: .baseline) == [1, 1])
  }

  @Test(
    "the exponential function has equal bits on all instruction sets",
    arguments: InstructionSet.supported)
  func allSetsHaveTheSameBits(set: InstructionSet) {
    #expect(Self.run(Self.values, on: set) == Self.run(Self.values, on: .baseline))
    // Most counts fill the last vector only partly.
    for count in 1...40 {
      let x = Array(Self.values.prefix(count))
      #expect(Self.run(x, on: set, threads: 2) == Self.run(x, on: .baseline))
    }
  }

  @Test("the exponential is finite even for NaN and infinity", arguments: InstructionSet.supported)
  func resultsAreAlwaysFinite(set: InstructionSet) {
    let (low, high) = (Self.run([-87], on: set)[0], Self.run([88], on: set)[0])
    #expect(low.isNormal && high.isNormal)
    let x: [Float] = [.nan, -.nan, -.infinity, .infinity, -1e30, 1e30, -88, 89]
    #expect(Self.run(x, on: set) == [low, low, low, high, low, high, low, high])
  }
}
