import DepthBase
import DepthImages
import HDF5Files
import Testing
import _TestSupport

/// The fast Lanczos filter equals the definition and the golden files to the byte. Pillow confirmed
/// the golden files' program.
@Suite struct ResizedLanczosTests {
  @Test(
    "Lanczos of 67 × 41 gives the golden bytes",
    arguments: InstructionSet.supported, [(30, 25), (90, 128)])
  func smallGoldens(isa: InstructionSet, size: (Int, Int)) throws {
    let file = try Golden.protocol()
    let input = Image(
      height: 67, width: 41, pixels: try file.dataset("lanczos_67x41_input").bytes())
    let expected = try file.dataset("lanczos_67x41_to_\(size.0)x\(size.1)").bytes()
    for threads in [1, 2, 4] {
      let resized = resizedLanczos(
        input, height: size.0, width: size.1, threads: threads, isa: isa)
      #expect(resized.pixels == expected, "\(threads) threads")
    }
  }

  @Test(
    "Lanczos from 480 × 640 to 228 × 304 gives the golden checksum",
    arguments: InstructionSet.supported, [1, 2, 4])
  func networkInputGolden(isa: InstructionSet, threads: Int) throws {
    let resized = resizedLanczos(
      testImage(height: 480, width: 640), height: 228, width: 304, threads: threads, isa: isa)
    let name = "lanczos_480x640_to_228x304_crc32"
    let expected = try Golden.protocol().attributes(named: [name])[name]
    #expect(expected == .integers([Int(crc32(resized.pixels))]))
  }

  /// Rows × columns before and after: small sizes, sizes beside blocks of 4, 8, 16 and 48 bytes,
  /// enlargement, reduction, one changed side and extreme proportions.
  static let sizes: [(from: (Int, Int), to: (Int, Int))] = [
    ((1, 1), (1, 1)), ((1, 1), (5, 7)), ((5, 7), (1, 1)), ((1, 40), (1, 9)), ((40, 1), (9, 1)),
    ((2, 2), (3, 3)), ((3, 5), (5, 3)), ((4, 16), (4, 15)), ((4, 16), (4, 17)), ((7, 33), (9, 33)),
    ((33, 7), (33, 9)), ((64, 64), (63, 65)), ((37, 211), (5, 16)), ((5, 16), (37, 211)),
    ((1, 500), (1, 2)), ((500, 1), (2, 1)), ((300, 3), (1, 200)), ((31, 17), (31, 17)),
    ((65, 97), (64, 96)), ((129, 6), (130, 4)),
  ]

  @Test(
    "Lanczos of every size equals the definition byte for byte",
    arguments: InstructionSet.supported, sizes.indices)
  func everySizeEqualsTheDefinition(isa: InstructionSet, index: Int) {
    let (from, to) = Self.sizes[index]
    let image = extremeImage(height: from.0, width: from.1)
    let expected = referenceLanczos(image, height: to.0, width: to.1)
    for threads in [1, 2, 4] {
      let resized = resizedLanczos(
        image, height: to.0, width: to.1, threads: threads, isa: isa)
      #expect(resized == expected, "\(from) to \(to), \(threads) threads")
    }
  }

  @Test("Lanczos to the same size changes nothing") func sameSizeIsTheSamePhotoAndMetadataStays() {
    var image = testImage(height: 5, width: 6)
    image.metadata.focalLengthIn35mmFilm = 28
    #expect(resizedLanczos(image, height: 5, width: 6, threads: 1) == image)
    #expect(resizedLanczos(image, height: 3, width: 9, threads: 1).metadata == image.metadata)
  }

  @Test("Lanczos leaves a flat photo flat") func flatPhotosStayFlat() {
    for value: UInt8 in [0, 1, 127, 254, 255] {
      let image = Image(
        height: 50, width: 70, pixels: [UInt8](repeating: value, count: 50 * 70 * 3))
      let resized = resizedLanczos(image, height: 23, width: 171, threads: 2)
      #expect(resized.pixels.allSatisfy { $0 == value })
    }
  }

  /// Black and white noise, whose sums go below 0 and above 255.
  private func extremeImage(height: Int, width: Int) -> Image {
    let stream = CounterStream("extreme image")
    return Image(
      height: height, width: width,
      pixels: (0..<height * width * 3).map { stream[$0] & 1 == 0 ? 0 : 255 })
  }
}
