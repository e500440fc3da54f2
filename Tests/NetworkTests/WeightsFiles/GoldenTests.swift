import Testing
import _TestSupport

/// The golden reader reads the known content of golden files.
@Suite struct GoldenTests {
  @Test(
    "a network's golden file is complete",
    arguments: [
      ("fcrn_narrow16_golden_228x304.h5", 228, 304, [128, 160], 8, false),
      ("fcrn_narrow16_golden_65x97.h5", 65, 97, [48, 64], 12, true),
      ("fcrn_narrow16_golden_65x97_bottomright.h5", 65, 97, [48, 64], 12, true),
      ("fcrn_full_golden_228x304.h5", 228, 304, [128, 160], 0, false),
    ])
  func networkGoldenIsWhole(
    name: String, height: Int, width: Int, output: [Int], activations: Int, hasCut: Bool
  ) throws {
    let golden = try NetworkGolden(name)
    #expect(golden.input == testImage(height: height, width: width))
    #expect(golden.outputShape == output)
    #expect(golden.output.count == output[0] * output[1])
    #expect(golden.activations.count == activations)
    #expect((golden.outputBiasMinus4 != nil) == hasCut)
    #expect(golden.samples.count == 33)
    // A sample consists of elements of the whole activation, if the file has the activation.
    for sample in golden.samples {
      #expect(sample.indices.count == 64 && sample.values.count == 64)
      guard let whole = golden.activations[sample.name] else { continue }
      #expect(whole.shape == sample.shape)
      expectClose(
        sample.indices.map { whole.elements[$0] }, sample.values, absolute: 0, relative: 1e-7,
        sample.name)
    }
  }

  @Test("FCRN-50's golden output has the recorded pixels")
  func fullOutputMatchesTheRecordedPixels() throws {
    let output = try NetworkGolden("fcrn_full_golden_228x304.h5").output
    let places = [(0, 0), (0, 159), (64, 80), (127, 0), (127, 159)]
    let pixels: [Double] = places.map { y, x in output[y * 160 + x] }
    let recorded: [Double] = [
      2.808323301976, 4.012326862758, 3.383564073402, 3.179353186434, 3.550920198271,
    ]
    expectClose(pixels, recorded, absolute: 1e-11)
  }
}
