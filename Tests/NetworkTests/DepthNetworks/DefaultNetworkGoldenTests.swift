import DepthBase
import DepthNetworks
import HDF5Files
import MonocularDepth
import NeuralEngine
import Testing
import _TestSupport

/// FCRN-18 with the weights of this clone against `Scripts/train/goldens/fcrn18.py`, an implementation in PyTorch and
/// 64-bit floats that shares nothing with the engine.
@Suite struct DefaultNetworkGoldenTests {
  /// Each pixel's depth and expected error, as the network returns them.
  private static func both(_ golden: NetworkGolden) throws -> [Double] {
    let errors = try Golden.file("fcrn18_golden_65x97.h5").dataset("error_f64").doubles()
    return zip(golden.output, errors).flatMap { [$0, $1] }
  }

  @Test(arguments: NetworkGoldenTests.backends)
  func activationsDepthAndExpectedError(backend: GEMMBackend) throws {
    let golden = try NetworkGolden("fcrn18_golden_65x97.h5")
    let weights = try HDF5WeightArchive(path: packageFolder + "/Weights/fcrn18-nyu-int8.h5")
    let names = Set(golden.samples.map(\.name))
    #expect(names.count == 19)
    let (output, kept) = try NetworkGoldenTests.run(
      weights, on: golden.input, backend: backend, keeping: names)
    #expect(output.shape == Tensor.Shape(height: 48, width: 64, channels: 2))
    expectClose(
      output.elements, try Self.both(golden), absolute: 1e-4, shape: golden.outputShape + [2],
      "depth and error; new weights need a new golden, Scripts/train/goldens/fcrn18.py")
    try NetworkGoldenTests().compare(kept, with: golden, expectedMissing: [])
  }

  /// With integers the whole network gives the same bits by every instruction set of the machine.
  @Test func integersHaveTheSameBitsEverywhere() throws {
    let network = try FCRN(
      try HDF5WeightArchive(path: packageFolder + "/Weights/fcrn18-nyu-int8.h5"))
    let shape = network.inputShape
    let stream = CounterStream("photo")
    let input = Tensor(
      shape: shape, elements: (0..<shape.elementCount).map { Float(stream[$0] >> 3 & 255) })
    let outputs = try Int8InstructionSet.supported.map { set in
      let program = try network.output.compiled(forInput: shape, int8: set, threads: 2)
      let memory = Program.Memory(program.memoryPlan(forInput: shape, threads: 2))
      return try program.run(input, in: memory, keeping: []).output
    }
    #expect(Set(outputs[0].elements).count > 1000)
    #expect(outputs.allSatisfy { $0 == outputs[0] })
  }
}
