import DepthBase
import DepthImages
import DepthNetworks
import HDF5Files
import NeuralEngine
import Testing
import _TestSupport

/// FCRN with EfficientNet-Lite2 equals `Tools/training/goldens/lite2.py`. This independent
/// implementation uses PyTorch and 64-bit floats.
@Suite struct Lite2GoldenTests {
  static func run(
    _ weights: GeneratedWeights, on golden: NetworkGolden, backend: GEMMBackend = .best,
    keepsWeights: Bool = true, threads: Int = 2,
    keeping: Set<String> = []
  ) throws -> (output: Tensor, kept: [String: Tensor]) {
    let network = try FCRN(weights)
    let program = try network.output.compiled(
      forInput: network.inputShape, backend: backend,
      keepsWeights: keepsWeights, threads: threads)
    let memory = Program.Memory(
      program.memoryPlan(forInput: network.inputShape, threads: threads))
    let input = Tensor(
      shape: network.inputShape, elements: golden.input.pixels.map { Float($0) - 127 })
    return try program.run(input, in: memory, keeping: keeping)
  }

  @Test(
    "Lite2 has the golden activations, depth and expected errors",
    arguments: NetworkGoldenTests.backends)
  func activationsDepthAndExpectedError(backend: GEMMBackend) throws {
    let golden = try NetworkGolden("lite2_golden_64x96.h5")
    let names = Set(golden.samples.map(\.name))
    #expect(names.count == 73)
    let (output, kept) = try Self.run(.lite2(), on: golden, backend: backend, keeping: names)
    let errors = try Golden.file("lite2_golden_64x96.h5").dataset("error_f64").doubles()
    #expect(output.shape == Tensor.Shape(height: 32, width: 48, channels: 2))
    let expected = zip(golden.output, errors).flatMap { [$0, $1] }
    expectClose(
      output.elements, expected, absolute: 0, relative: 1e-4, shape: golden.outputShape + [2])
    try NetworkGoldenTests().compare(kept, with: golden, expectedMissing: [])
  }

  @Test("Lite2 gives equal bits on any number of threads")
  func bitsDependNeitherOnThreadsNorOnWhatIsKept() throws {
    let golden = try NetworkGolden("lite2_golden_64x96.h5")
    let one = try Self.run(.lite2(), on: golden, threads: 1).output
    for threads in 2...3 {
      #expect(try Self.run(.lite2(), on: golden, threads: threads).output == one)
      #expect(
        try Self.run(.lite2(), on: golden, keepsWeights: false, threads: threads).output == one)
    }
  }
}
