import DepthErrors
import Testing
import _TestSupport

@testable import DepthImages
@testable import PictureFiles

@Suite struct WebPTests {
  /// Whether a pixel is in the first row or column, which are lit.
  private static func isLit(_ y: Int, _ x: Int) -> Bool { y == 0 || x == 0 }

  private static func greens(_ image: Image) -> [UInt8] {
    stride(from: 1, to: image.pixels.count, by: 3).map { image.pixels[$0] }
  }

  @Test("WebP is decoded", .enabled(if: WebPFixture.isAvailable, "libwebp is not installed"))
  func decodesAPicture() throws {
    let bytes = WebPFixture.file(WebPFixture.chunk(height: 3, width: 5, isLit: Self.isLit))
    let image = try Image(decoding: bytes, name: "a.webp")
    #expect((image.height, image.width) == (3, 5))
    #expect(
      Self.greens(image) == [255, 255, 255, 255, 255, 255, 0, 0, 0, 0, 255, 0, 0, 0, 0])
  }

  @Test(
    "a WebP picture is turned by its Exif orientation",
    .enabled(if: WebPFixture.isAvailable, "libwebp is not installed"),
    arguments: Orientation.allCases)
  func exifTurnsThePicture(orientation: Orientation) throws {
    let exif = ExifFixture(orientation: UInt16(orientation.rawValue), focalLength: 28).bytes
    let profile = [UInt8](repeating: 0, count: 16) + Array("RGB ".utf8) + [1, 2, 3]
    let bytes = WebPFixture.file(
      WebPFixture.extended(flags: 0x28, height: 3, width: 5)
        + WebPFixture.chunk("ICCP", profile)
        + WebPFixture.chunk(height: 3, width: 5, isLit: Self.isLit)
        + WebPFixture.chunk("EXIF", exif))
    let file = try PhotoFile(decoding: bytes, name: "a.webp")
    let image = try file.image()
    #expect((image.height, image.width) == file.uprightSize)
    let plain = (0..<15).flatMap { index -> [UInt8] in
      [0, Self.isLit(index / 5, index % 5) ? 255 : 0, 0]
    }
    #expect(image.pixels == orientation.upright(plain, channels: 3, height: 3, width: 5).samples)
    #expect(image.metadata.iccProfile == profile)
    #expect(image.metadata.focalLengthIn35mmFilm == 28)
  }

  @Test(
    "a transparent WebP picture is drawn over white",
    .enabled(if: WebPFixture.isAvailable, "libwebp is not installed"))
  func transparencyIsDrawnOverWhite() throws {
    let bytes = WebPFixture.file(
      WebPFixture.chunk(height: 1, width: 2, opacity: 51) { _, x in x == 0 })
    #expect(try Image(decoding: bytes, name: "a").pixels == [204, 255, 204, 204, 204, 204])
  }

  /// A lossy picture has alpha in a separate chunk.
  @Test(
    "a lossy WebP with alpha is drawn over white",
    .enabled(if: WebPFixture.hasEncoder, "libwebp or cwebp is not installed"))
  func lossyPicturesHaveAlphaOfTheirOwn() throws {
    let photo = TestPhoto.image()
    let header: [UInt8] = [0, 0, 0, 64, 0, 0, 0, 48, 8, 6, 0, 0, 0]
    var rows: [UInt8] = []
    for y in 0..<48 {
      rows.append(0)
      for x in 0..<64 {
        let place = (y * 64 + x) * 3
        rows += photo.pixels[place..<place + 3]
        rows.append(x < 32 ? 255 : 0)
      }
    }
    let png =
      try PNGChunks.signature + PNGChunks.chunk("IHDR", header)
      + PNGChunks.chunk("IDAT", Deflate.compressed(rows)) + PNGChunks.chunk("IEND", [])
    let folder = try TemporaryFolder()
    _ = try folder.write(png, to: "in.png")
    _ = try ExternalProgram.run("cwebp", ["-q", "95", "in.png", "-o", "out.webp"], in: folder.path)
    let bytes = try TemporaryFolder.bytes(of: folder.path("out.webp"))
    #expect(bytes[12..<16].elementsEqual("VP8X".utf8))
    let image = try Image(decoding: bytes, name: "out.webp")
    for (y, x) in [(8, 8), (40, 10), (24, 27)] {
      for place in (y * 64 + x) * 3..<(y * 64 + x) * 3 + 3 {
        #expect(abs(Int(image.pixels[place]) - Int(photo.pixels[place])) < 24)
      }
    }
    #expect(image.pixels[(10 * 64 + 50) * 3] == 255)
  }

  @Test(
    "an animated WebP gives its first frame on a white canvas",
    .enabled(if: WebPFixture.isAvailable, "libwebp is not installed"))
  func animationsGiveTheirFirstFrame() throws {
    func frame(x: Int, opacity: UInt8 = 255) -> [UInt8] {
      WebPFixture.frame(
        x: x, y: 2, height: 1, width: 2,
        WebPFixture.chunk(height: 1, width: 2, opacity: opacity) { _, x in x == 0 })
    }
    let bytes = WebPFixture.file(
      WebPFixture.extended(flags: 0x12, height: 4, width: 6)
        + WebPFixture.chunk("ANIM", [0, 0, 0, 0, 0, 0]) + frame(x: 4) + frame(x: 0))
    let file = try PhotoFile(decoding: bytes, name: "a.webp")
    #expect(file.isAnimation)
    let image = try file.image()
    #expect((image.height, image.width) == (4, 6))
    var expected = [UInt8](repeating: 255, count: 4 * 6 * 3)
    expected.replaceSubrange((2 * 6 + 4) * 3..<(2 * 6 + 6) * 3, with: [0, 255, 0, 0, 0, 0])
    #expect(image.pixels == expected)
  }

  @Test("the size is read from each kind of WebP header") func headersGiveTheSize() throws {
    let lossy = WebPFixture.file(
      WebPFixture.chunk("VP8 ", [0x10, 0, 0, 0x9D, 0x01, 0x2A, 0x40, 0x40, 0x30, 0xC0]))
    for (bytes, size) in [
      (lossy, (64, 48)),
      (WebPFixture.file(WebPFixture.chunk(height: 300, width: 7) { _, _ in true }), (7, 300)),
      (
        WebPFixture.file(
          WebPFixture.extended(flags: 0, height: 9, width: 70_000)), (70_000, 9)
      ),
    ] as [([UInt8], (Int, Int))] {
      let header = try WebPHeader(bytes, file: "a", limits: ImageLimits())
      #expect((header.width, header.height) == size && !header.isAnimated)
    }
  }

  @Test("a WebP frame beyond its canvas is damaged") func framesBeyondTheCanvasAreDamaged() {
    let picture = WebPFixture.chunk(height: 1, width: 2) { _, _ in true }
    for (x, y, width) in [(6, 0, 2), (0, 4, 2), (0, 0, 3)] {
      let bytes = WebPFixture.file(
        WebPFixture.extended(flags: 2, height: 4, width: 6)
          + WebPFixture.frame(x: x, y: y, height: 1, width: width, picture))
      let error = #expect(throws: DepthError.self) { try PhotoFile(decoding: bytes, name: "a") }
      #expect(error?.code == .damaged)
    }
  }

  @Test("a cut WebP is damaged", .enabled(if: WebPFixture.isAvailable, "libwebp is not installed"))
  func truncatedFilesAreDamaged() throws {
    let bytes = WebPFixture.file(WebPFixture.chunk(height: 40, width: 50, isLit: Self.isLit))
    for length in 12..<bytes.count - 1 {
      let error = #expect(throws: DepthError.self) {
        try Image(decoding: Array(bytes[..<length]), name: "a.webp")
      }
      #expect(error?.code == .damaged, "\(length)")
    }
  }

  @Test(
    "limits of pixels and bytes apply to WebP photos",
    .enabled(if: WebPFixture.isAvailable, "libwebp is not installed"))
  func limitsReachSuchPhotos() throws {
    let bytes = WebPFixture.file(WebPFixture.chunk(height: 3, width: 5, isLit: Self.isLit))
    #expect(throws: DepthError.tooLarge(file: "a", width: 5, height: 3, limit: 14)) {
      try Image(decoding: bytes, name: "a", limits: ImageLimits(maximumPixels: 14))
    }
    let error = #expect(throws: DepthError.self) {
      try Image(decoding: bytes, name: "a", limits: ImageLimits(maximumBytes: 15 * 9))
    }
    #expect(error?.code == .insufficientMemory)
  }
}
