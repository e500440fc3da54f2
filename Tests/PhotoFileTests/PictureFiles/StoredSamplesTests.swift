import Testing

@testable import PictureFiles

/// Stored samples of HEIC and AVIF files.
@Suite struct StoredSamplesTests {
  @Test(
    "premultiplied samples are not multiplied by opacity again",
    arguments: [(false, [228, 177, 127, 255]), (true, [255, 227, 127, 255])] as [(Bool, [UInt8])])
  func opacityIsMultipliedOnce(isPremultiplied: Bool, wanted: [UInt8]) throws {
    let luma: [UInt8] = [201, 100, 0, 90]
    let opacity: [UInt8] = [128, 128, 128, 0]
    let gray = StoredSamples(
      luma, opacity: opacity, count: 4, channels: 1, bits: 8, isPremultiplied: isPremultiplied,
      isLimited: false)
    let colors = StoredSamples(
      zip(luma, opacity).flatMap { [$0, $0, $0, $1] }, opacity: nil, count: 4, channels: 4, bits: 8,
      isPremultiplied: isPremultiplied, isLimited: false)
    for samples in [gray, colors] {
      #expect(try #require(samples).bytes == wanted.flatMap { [$0, $0, $0] })
    }
  }

  /// Opacity has as many bits as the colors, but full range beside limited range.
  @Test("10-bit opacity is full range beside limited luma") func opacityOfTenBitsIsWhole() throws {
    func bytes(_ numbers: [UInt16]) -> [UInt8] {
      numbers.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    }
    let samples = StoredSamples(
      bytes([64, 940, 64]), opacity: bytes([1023, 1023, 512]), count: 3, channels: 1, bits: 10,
      isPremultiplied: false, isLimited: true)
    #expect(try #require(samples).bytes == [0, 0, 0, 255, 255, 255, 127, 127, 127])
  }
}
