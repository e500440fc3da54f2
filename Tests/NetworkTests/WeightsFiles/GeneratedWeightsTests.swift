import DepthImages
import Foundation
import HDF5Files
import Testing
import _TestSupport

/// The generator gives the numbers and checksums of an independent implementation
/// (`Tests/Golden/*_crc32.txt`). All tests with generated weights rely on the generator.
@Suite struct GeneratedWeightsTests {
  @Test("the stream of generated numbers matches the vectors") func streamMatchesTheVectors() {
    #expect(CounterStream.fnv1a64("conv1/kernel") == 0xa72a_21db_f73c_d84e)
    let stream = CounterStream("conv1/kernel")
    #expect(stream.state == 0x7138_270e_94c4_1b16)
    #expect((0..<4).map { stream[$0] } == [882433, 5_910_455, 2_078_058, 9_787_517])
    // The first output of splitmix64 with seed 0.
    #expect(CounterStream.mix64(0x9E37_79B9_7F4A_7C15) == 0xE220_A839_7B1D_CDAF)
  }

  @Test("CRC-32 matches the standard vector") func checksumMatchesTheStandardVector() {
    #expect(crc32(Array("123456789".utf8)) == 0xCBF4_3926)
    #expect(crc32([UInt8]()) == 0)
  }

  @Test(
    "first values of generated tensors match the vectors",
    arguments: [
      ("conv1/kernel", [0xbe39_1de3, 0xbd74_76d0, 0xbe1b_a15d, 0x3d09_ffca] as [UInt32]),
      ("conv1/bias", [0xbf9b_3fe8, 0xc01c_2950]),
      ("bn_conv1/gamma", [0x3fb6_7248, 0x3f9f_2c8a]),
      ("bn_conv1/beta", [0xbe6a_398a, 0xbed6_3ac5]),
      ("bn_conv1/mean", [0x3e94_b580, 0xc054_f6b8]),
      ("bn_conv1/variance", [0x46cb_720a, 0x4716_4fb0]),
    ])
  func firstValuesMatchTheVectors(tensor: String, bits: [UInt32]) throws {
    let elements = try GeneratedWeights().elements(of: tensor)
    #expect(elements.prefix(bits.count).map(\.bitPattern) == bits)
  }

  @Test(
    "every generated tensor has its golden checksum",
    arguments: [(1, "fcrn_full_weights_crc32.txt"), (16, "fcrn_narrow16_weights_crc32.txt")])
  func everyTensorHasItsChecksum(divisor: Int, golden: String) throws {
    let text = try String(contentsOfFile: Golden.path(golden), encoding: .utf8)
    let lines = text.split(separator: "\n").map { $0.split(separator: " ") }
    let weights = GeneratedWeights(widthDivisor: divisor)
    #expect(weights.tensors.count == 394)
    #expect(weights.tensors.map(\.name) == lines.map { String($0[0]) })
    for (tensor, line) in zip(weights.tensors, lines) {
      #expect(String(tensor.count) == line[1], "elements of \(tensor.name)")
      #if DEBUG
        // Only optimized builds test large kernels.
        guard tensor.count < 1 << 17 else { continue }
      #endif
      let found = crc32(try weights.elements(of: tensor.name))
      #expect(found == UInt32(line[2], radix: 16), "checksum of \(tensor.name)")
    }
  }

  @Test("generated FCRN-50 has the published 63633665 parameters")
  func fullNetworkHasThePublishedNumberOfParameters() {
    let counts = GeneratedWeights().tensors.map(\.count)
    #expect(counts.reduce(0, +) == 63_633_665)
    #expect(GeneratedWeights(widthDivisor: 16).tensors.map(\.count).reduce(0, +) == 256_865)
  }

  @Test(
    "the test image has its golden checksum at every size",
    arguments: [
      (228, 304, 0xdf4f_f292 as UInt32), (65, 97, 0x03f2_b494), (480, 640, 0xe682_7690),
    ])
  func testImageHasItsChecksum(height: Int, width: Int, checksum: UInt32) {
    let image = testImage(height: height, width: width)
    #expect(crc32(image.pixels) == checksum)
  }

  @Test("corners of the test image match the vectors") func testImageCornersMatchTheVectors() {
    let image = testImage(height: 228, width: 304)
    #expect(image.pixels.prefix(3) == [34, 66, 72])
    #expect(image.pixels.suffix(3) == [220, 178, 171])
  }

  @Test("NYU's crop of the test image has a golden checksum") func nyuCropHasItsChecksum() throws {
    let attributes = try Golden.protocol().attributes(
      named: ["image480x640_crc32", "nyu_input_228x304_crc32"])
    let frame = testImage(height: 480, width: 640)
    #expect(attributes["image480x640_crc32"] == .integers([Int(crc32(frame.pixels))]))
    #expect(
      attributes["nyu_input_228x304_crc32"] == .integers([Int(crc32(nyuInput(frame).pixels))]))
  }
}
