import DepthImages
import Testing
import _TestSupport

@Suite struct ResizedLinearTests {
  /// Bytes that OpenCV 4 makes of the same pictures: x · y in 3 × 4 pixels, one channel after the other.
  @Test func makesTheBytesOfOpenCV() {
    let pixels = (0..<12).flatMap { [UInt8($0 * 20), UInt8(255 - $0 * 20), UInt8($0 % 4 * 60)] }
    let image = Image(height: 3, width: 4, pixels: pixels)
    let half = resizedLinear(
      Image(height: 2, width: 4, pixels: Array(pixels.prefix(24))), height: 1, width: 2, threads: 1)
    // (0 + 20 + 80 + 100 + 2) / 4 and (40 + 60 + 120 + 140 + 2) / 4.
    #expect(half.pixels.enumerated().filter { $0.offset % 3 == 0 }.map(\.element) == [50, 90])
    let wide = resizedLinear(image, height: 3, width: 8, threads: 2)
    // Places −.25, .25, .75 … of 0, 20, 40, 60, rounded by the shifts.
    #expect(
      wide.pixels.prefix(24).enumerated().filter { $0.offset % 3 == 0 }.map(\.element)
        == [0, 5, 15, 25, 35, 45, 55, 60])
  }

  /// Within one level of the formula in 64-bit floats, for any sizes and threads.
  @Test(arguments: [
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

  @Test func keepsAPhotoOfTheSize() {
    let photo = testImage(height: 5, width: 7)
    #expect(resizedLinear(photo, height: 5, width: 7, threads: 1) == photo)
  }
}
