import DepthImages
import PictureFiles
import Testing

@testable import FrameStreams

/// The bytes of depth frames.
@Suite struct DepthFrameEncoderTests {
  private let map = DepthMap(height: 1, width: 4, unit: .metres, values: [0.5, 1, 2, 0])
  private let photo = Image(height: 2, width: 8, pixels: FrameReaderTests.noise(48))

  private func encoder(_ format: DepthFrameFormat) -> DepthFrameEncoder {
    DepthFrameEncoder(
      format: format, colorMap: .gray, rate: Ratio(25, 1), pixelAspect: Ratio(1, 1))
  }

  private func frame(_ format: DepthFrameFormat) -> [UInt8] {
    encoder(format).frame(map, photo: photo, range: 0.5...2)
  }

  @Test("depth frames hold whole millimetres or floats") func numbers() {
    #expect(frame(.millimetres) == [0xF4, 1, 0xE8, 3, 0xD0, 7, 0, 0])
    let floats = frame(.float32)
    #expect(floats.count == 16 && Array(floats[..<4]) == [0, 0, 0, 0x3F])
    #expect(floats[15] & 0x7F == 0x7F && floats[14] & 0x80 != 0)
    let far = DepthMap(height: 1, width: 1, unit: .metres, values: [70])
    #expect(encoder(.millimetres).frame(far, photo: photo, range: 0...1) == [0, 0])
  }

  @Test("gray depth frames hold disparity") func grays() {
    // Disparities of 2, 1 and 0.5 in a range of 0.5…2. A missing value is mid gray.
    #expect(frame(.gray8) == Array("FRAME\n".utf8) + [255, 85, 0, 128])
    #expect(frame(.gray16).suffix(8) == [0xFF, 0xFF, 0x55, 0x55, 0, 0, 0x80, 0x80])
    #expect(frame(.pgm8) == Array("P5\n4 1\n255\n".utf8) + [255, 85, 0, 128])
    #expect(
      frame(.pgm16) == Array("P5\n4 1\n65535\n".utf8) + [0xFF, 0xFF, 0x55, 0x55, 0, 0, 0x80, 0x80])
  }

  @Test("headers of depth frames state size, rate and aspect") func headers() {
    let sizes = (PixelSize(width: 4, height: 1), PixelSize(width: 8, height: 2))
    func header(_ format: DepthFrameFormat) -> String {
      String(decoding: encoder(format).header(depth: sizes.0, photo: sizes.1), as: UTF8.self)
    }
    #expect(header(.gray8) == "YUV4MPEG2 W4 H1 F25:1 Ip A1:1 Cmono XCOLORRANGE=FULL\n")
    #expect(header(.gray16) == "YUV4MPEG2 W4 H1 F25:1 Ip A1:1 Cmono16 XCOLORRANGE=FULL\n")
    #expect(
      header(.beside)
        == "YUV4MPEG2 W16 H2 F25:1 Ip A1:1 C444 XCOLORRANGE=LIMITED XCOLORMATRIX=bt601\n")
    #expect(header(.float32).isEmpty && header(.pgm8).isEmpty)
    // 160 × 128 pixels over a 4:3 picture are not square.
    let network = encoder(.color).header(
      depth: PixelSize(width: 160, height: 128), photo: PixelSize(width: 640, height: 480))
    #expect(String(decoding: network, as: UTF8.self).contains("A16:15 "))
  }

  @Test(
    "an aspect that a header cannot hold is unknown",
    arguments: [
      (Ratio(1 << 31, 1), 131_072, 1, 1, 32_768, "A0:0 "),
      (Ratio(1 << 31, 1), 1 << 25, 1, 160, 128, "A0:0 "),
      (Ratio(1 << 31, 3), 1 << 28, 3, 1 << 28, 2, "A0:0 "),
      (Ratio(1 << 31, 3), 1 << 28, 2, 1 << 28, 3, "A1073741824:1 "),
      (Ratio(0, 0), 640, 480, 160, 128, "A0:0 "),
      (Ratio(0, 0), 640, 480, 640, 480, "A0:0 "),
      (Ratio(16, 11), 704, 576, 160, 128, "A64:45 "),
    ])
  func aspects(
    aspect: Ratio, width: Int, height: Int, mapWidth: Int, mapHeight: Int, expected: String
  ) {
    let encoder = DepthFrameEncoder(format: .gray8, rate: Ratio(25, 1), pixelAspect: aspect)
    let header = encoder.header(
      depth: PixelSize(width: mapWidth, height: mapHeight),
      photo: PixelSize(width: width, height: height))
    #expect(String(decoding: header, as: UTF8.self).contains(expected))
  }

  /// 640 columns give a frame of 1280 columns. At that width, readers assume another matrix.
  @Test("luma and chroma keep colors within 2 levels", arguments: [8, 640])
  func colorsComeBack(width: Int) throws {
    let photo = Image(
      height: 2, width: width, pixels: FrameReaderTests.noise(2 * width * 3))
    let deep = try map.refined(to: photo)
    let encoder = encoder(.beside)
    let bytes =
      encoder.header(
        depth: PixelSize(width: width, height: 2), photo: PixelSize(width: width, height: 2))
      + encoder.frame(deep, photo: photo, range: 0.5...2)
    let back = try FrameReaderTests.frames(bytes)[0]
    #expect((back.height, back.width) == (2, 2 * width))
    for y in 0..<2 {
      for i in 0..<3 * width {
        let difference = Int(back.pixels[y * 6 * width + i]) - Int(photo.pixels[y * 3 * width + i])
        #expect(abs(difference) <= 2)
      }
    }
  }
}

extension DepthMap {
  /// One value for each pixel of a picture.
  fileprivate func refined(to photo: Image) throws -> DepthMap {
    DepthMap(
      height: photo.height, width: photo.width, unit: unit,
      values: (0..<photo.height * photo.width).map { values[$0 % values.count] })
  }
}
