import DepthBase
import Foundation
import Testing
import _TestSupport

@testable import NeuralEngine

@Suite struct GELUTests {
  static let values: [Float] =
    (0...40_000).map { -10 + 20 * Float($0) / 40_000 }
    + (0...40_000).map { -1e-3 + 2e-3 * Float($0) / 40_000 }

  static func run(_ x: [Float], columns: Int = 1, on set: InstructionSet) -> [Float] {
    let shape = Tensor.Shape(height: 1, width: x.count / columns, channels: columns)
    let map = FeatureMap(shape: shape, offset: 0)
    let workspace = Workspace(capacity: Workspace.aligned(map.extent))
    workspace.write(Tensor(shape: shape, elements: x), to: map)
    ThreadTeam.run(threads: 1) { Activation.gelu.run(map, on: set, in: workspace, on: $0) }
    return workspace.tensor(at: map).elements
  }

  /// The error is measured in ulp of x, since 1 + erf loses precision near 0.
  @Test("GELU's error is below 2 ulp of its argument") func isExactToFloats() {
    let found = Self.run(Self.values, on: .baseline)
    var worst = 0.0
    for (x, y) in zip(Self.values, found) {
      let exact = ReferenceTransformer.gelu(Double(x))
      worst = max(worst, abs(Double(y) - exact) / Double(max(x.ulp, Float.leastNormalMagnitude)))
    }
    #expect(worst < 2, "\(worst) ulp of x")
  }

  @Test("GELU is 0 for negative x and x for large x") func hasItsLimits() {
    let x: [Float] = [0, -0.0, 30, -30, .infinity, 1e30, -1e30, 3e38]
    let found = Self.run(x, on: .baseline)
    #expect(found[0] == 0 && found[1] == 0 && found[2] == 30 && found[4] == .infinity)
    #expect(found[3] == 0 && found[5] == 1e30 && found[6] == 0 && found[7] == 3e38)
    #expect(Self.run([.nan], on: .baseline)[0].isNaN)
  }

  @Test("GELU has equal bits on all instruction sets", arguments: InstructionSet.supported)
  func allSetsHaveTheSameBits(set: InstructionSet) {
    #expect(Self.run(Self.values, on: set) == Self.run(Self.values, on: .baseline))
    for columns in Array(1...40) + [63, 65, 127, 128, 129, 200] {
      let x = Array(Self.values.prefix(columns * 3))
      #expect(Self.run(x, columns: columns, on: set) == Self.run(x, on: .baseline))
    }
  }

  @Test(
    "GELU fused with a product has the bits of separate GELU",
    arguments: InstructionSet.supported, [1, 31, 64, 130, 200])
  func isFusedWithProducts(set: InstructionSet, outputs: Int) throws {
    let geometry = ConvolutionGeometry(
      kernelHeight: 1, kernelWidth: 1, inputChannels: 24, outputChannels: outputs)
    let kernel = noise("kernel", 24 * outputs)
    let input = Tensor.noise("x", .init(height: 9, width: 13, channels: 24))
    for backend in [GEMMBackend.packed(set), .openBLAS(set)] {
      func result(_ activation: Activation, threads: Int) throws -> Tensor {
        try ThreadTeam.run(threads: threads) { team in
          let convolution = try Convolution(
            geometry, kernels: { Array(kernel[$0.lowerBound * 24..<$0.upperBound * 24]) },
            bias: noise("bias", outputs), activation: activation, algorithm: .pointwise,
            backend: backend, on: team)
          let read = FeatureMap(shape: input.shape, offset: 0)
          let written = FeatureMap(
            shape: geometry.outputShape(for: input.shape), offset: Workspace.aligned(read.extent))
          let workspace = Workspace(capacity: written.offset + Workspace.aligned(written.extent))
          workspace.write(input, to: read)
          convolution.run(read, into: written, scratch: 0, in: workspace, on: team)
          return workspace.tensor(at: written)
        }
      }
      let plain = try result(.none, threads: 1)
      let expected = Self.run(plain.elements, on: set)
      for threads in 1...3 { #expect(try result(.gelu, threads: threads).elements == expected) }
    }
  }
}
