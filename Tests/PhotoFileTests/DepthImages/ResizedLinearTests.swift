import DepthImages
import Testing
import _TestSupport

@Suite struct ResizedLinearTests {
  /// A photo of gray levels.
  private func photo(height: Int, width: Int, _ levels: [UInt8]) -> Image {
    Image(height: height, width: width, pixels: levels.flatMap { [$0, $0, $0] })
  }

  /// The levels of a gray photo.
  private func levels(_ image: Image) -> [UInt8] {
    stride(from: 0, to: image.pixels.count, by: 3).map { image.pixels[$0] }
  }

  /// The second picture is sampled at −.25, .25, .75 … of 0, 20, 40, 60.
  @Test("linear resizing gives the bytes of OpenCV 4") func makesTheBytesOfOpenCV() {
    let two = photo(height: 2, width: 4, [0, 20, 40, 60, 80, 100, 120, 140])
    // (0 + 20 + 80 + 100 + 2) / 4 and (40 + 60 + 120 + 140 + 2) / 4.
    #expect(levels(resizedLinear(two, height: 1, width: 2, threads: 1)) == [50, 90])
    // Samples at −.25, .25, .75 … of 0, 20, 40, 60.
    let one = photo(height: 1, width: 4, [0, 20, 40, 60])
    #expect(
      levels(resizedLinear(one, height: 1, width: 8, threads: 2))
        == [0, 5, 15, 25, 35, 45, 55, 60])
  }

  @Test(
    "linear resizing is within one level of the formula",
    arguments: [
      (7, 9, 12, 20), (30, 40, 14, 28), (1, 1, 3, 5), (2, 65, 9, 33), (48, 64, 24, 31),
    ])
  func isNearTheFormula(height: Int, width: Int, toHeight: Int, toWidth: Int) {
    let photo = testImage(height: height, width: width)
    let found = resizedLinear(photo, height: toHeight, width: toWidth, threads: 1)
    #expect((found.height, found.width) == (toHeight, toWidth))
    let exact = ReferenceZipDepth.resized(
      .init(height: height, width: width, channels: 3, elements: photo.pixels.map(Double.init)),
      height: toHeight, width: toWidth, grid: .centers)
    expectClose(found.pixels.map(Float.init), exact.elements, absolute: 1)
    #expect(resizedLinear(photo, height: toHeight, width: toWidth, threads: 3) == found)
  }

  @Test("linear resizing to the same size changes nothing") func keepsAPhotoOfTheSize() {
    let photo = testImage(height: 5, width: 7)
    #expect(resizedLinear(photo, height: 5, width: 7, threads: 1) == photo)
  }
}
