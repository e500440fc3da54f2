import DepthBase
import DepthImages
import Testing
import _TestSupport

@testable import PictureFiles

/// PNG files with an alpha channel.
@Suite struct AlphaPNGTests {
  /// The test compares all strips and all opacities.
  @Test(
    "RGBA is read back, except colors of transparent pixels",
    arguments: [(1, 1), (3, 7), (97, 501)], PNGCompression.allCases)
  func samplesComeBack(size: (Int, Int), compression: PNGCompression) throws {
    let (height, width) = size
    let photo = MadeUpPictures.photo(height: height, width: width)
    let alpha = (0..<height * width).map { UInt8($0 * 7 % 256) }
    let file = try photo.encodedPNG(
      alpha: alpha, compression: compression, call: CallContext(threads: 1))
    let samples = try PNGPixels.decode(
      file, as: .init(hasColor: true, hasAlpha: true), of: UInt8.self, file: "PNG")
    let expected = alpha.enumerated().flatMap { pixel, alpha in
      (0..<3).map { alpha > 0 ? photo.pixels[3 * pixel + $0] : 0 } + [alpha]
    }
    #expect(samples == expected)
    #expect(
      try file
        == photo.encodedPNG(
          alpha: alpha, compression: compression, call: CallContext(threads: 3)))
  }
}
