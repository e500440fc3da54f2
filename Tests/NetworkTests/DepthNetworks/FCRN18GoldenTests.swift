import DepthBase
import DepthNetworks
import HDF5Files
import NeuralEngine
import Testing
import _TestSupport

/// FCRN-18 against `Scripts/train/goldens/fcrn18.py`, an implementation in PyTorch and 64-bit floats that shares nothing with
/// the engine.
@Suite struct FCRN18GoldenTests {
  /// Each pixel's depth and expected error, as the network returns them.
  private static func both(_ golden: NetworkGolden) throws -> [Double] {
    let errors = try Golden.file("fcrn18_golden_65x97.h5").dataset("error_f64").doubles()
    return zip(golden.output, errors).flatMap { [$0, $1] }
  }

  @Test(arguments: NetworkGoldenTests.backends)
  func activationsDepthAndExpectedError(backend: GEMMBackend) throws {
    let golden = try NetworkGolden("fcrn18_golden_65x97.h5")
    let names = Set(golden.samples.map(\.name))
    #expect(names.count == 19)
    let (output, kept) = try NetworkGoldenTests.run(
      GeneratedWeights.fcrn18(), on: golden.input, backend: backend, keeping: names)
    #expect(output.shape == Tensor.Shape(height: 48, width: 64, channels: 2))
    expectClose(
      output.elements, try Self.both(golden), absolute: 1e-4, shape: golden.outputShape + [2],
      "depth and error")
    try NetworkGoldenTests().compare(kept, with: golden, expectedMissing: [])
  }
}
