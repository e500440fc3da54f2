import DepthNetworks
import NetworkWeights
import NeuralEngine
import SIMDKernels
import Testing
import _TestSupport

/// FCRN-18 with the weights of this clone against `Scripts/goldens/fcrn18.py`, an implementation in PyTorch and
/// 64-bit floats that shares nothing with the engine.
@Suite(.offPool) struct DefaultNetworkGoldenTests {
  @Test(arguments: NetworkGoldenTests.backends)
  func activationsAndDepth(backend: GEMMBackend) throws {
    let golden = try NetworkGolden("fcrn18_golden_65x97.h5")
    let weights = try HDF5WeightArchive(path: packageFolder + "/Weights/fcrn18-nyu-int8.h5")
    let names = Set(golden.samples.map(\.name))
    #expect(names.count == 18)
    let (output, kept) = try NetworkGoldenTests.run(
      weights, on: golden.input, backend: backend, keeping: names)
    expectClose(
      output.elements, golden.output, absolute: 1e-4, shape: golden.outputShape,
      "depth; new weights need a new golden, Scripts/goldens/fcrn18.py")
    try NetworkGoldenTests().compare(kept, with: golden, expectedMissing: [])
  }

  /// In bfloat16, by the processor's instructions and by the models of them.
  @Test(arguments: BFloat16InstructionSet.supported + SlowTests.only(BFloat16InstructionSet.models))
  func depthInBFloat16(set: BFloat16InstructionSet) throws {
    let golden = try NetworkGolden("fcrn18_golden_65x97.h5")
    let weights = try HDF5WeightArchive(path: packageFolder + "/Weights/fcrn18-nyu-int8.h5")
    let output = try NetworkGoldenTests.run(
      weights, on: golden.input, backend: .best, bfloat16: set
    ).output
    let worst = expectClose(
      output.elements, golden.output, absolute: 0.02, shape: golden.outputShape, "depth")
    print("FCRN-18 in bfloat16 by \(set): largest difference \(worst) m")
    #expect(worst > 1e-4, "nothing was rounded")
    #expect(
      try NetworkGoldenTests.run(
        weights, on: golden.input, backend: .best, bfloat16: set, threads: 3
      ).output == output)
  }

  /// With integers the whole network gives the same bits by every instruction set and by the models of tiles.
  @Test func integersHaveTheSameBitsEverywhere() throws {
    let network = try FCRN(
      try HDF5WeightArchive(path: packageFolder + "/Weights/fcrn18-nyu-int8.h5"))
    let shape = network.inputShape
    let stream = CounterStream("photo")
    let input = Tensor(
      shape: shape, elements: (0..<shape.elementCount).map { Float(stream[$0] >> 3 & 255) })
    let outputs = try (CodeInstructionSet.supported + SlowTests.only(CodeInstructionSet.models)).map
    { set in
      let program = try network.output.compiled(forInput: shape, codes: set, threads: 2)
      let memory = Program.Memory(program.memoryPlan(forInput: shape, threads: 2))
      return try program.run(input, in: memory, keeping: []).output
    }
    #expect(Set(outputs[0].elements).count > 1000)
    #expect(outputs.allSatisfy { $0 == outputs[0] })
  }
}
