import DepthErrors
import Foundation
import Testing
import _TestSupport

@testable import DepthBase
@testable import DepthImages
@testable import PictureFiles

@Suite struct PNGWriterTests {
  /// Noise above, and flat and drawn parts below. The file has strips of both methods.
  static func mixed(height: Int, width: Int) -> [UInt8] {
    let stream = CounterStream("png/mixed")
    return (0..<height * width * 3).map { i in
      let (y, x) = (i / (3 * width), i / 3 % width)
      switch 4 * y / height {
      case 0: return UInt8(stream[i] % 256)
      case 1: return 77
      case 2: return UInt8(stream[x / 7 % 50] % 256)
      default: return UInt8(truncatingIfNeeded: x / 3 + y + Int(stream[i] % 3))
      }
    }
  }

  @Test(
    "libpng reads every pixel of a written RGB PNG",
    arguments: [
      (1, 1), (1, 2), (2, 1), (3, 700), (700, 3), (40_000, 1), (1, 50_000), (5, 20_000),
      (3, 90_000), (64, 682), (65, 683), (500, 600),
    ])
  func libpngReadsEveryPixel(size: (height: Int, width: Int)) throws {
    let pixels = Self.mixed(height: size.height, width: size.width)
    let picture = Image(height: size.height, width: size.width, pixels: pixels)
    let bytes = try picture.encoded(as: .png)
    #expect(try PNGPixels.decode(bytes, as: .rgb8, of: UInt8.self, file: "") == pixels)
  }

  @Test(
    "libpng reads every sample of a written 16-bit PNG",
    arguments: [(1, 1), (1, 3), (300, 401), (2, 70_000), (33_000, 2)])
  func libpngReadsEveryDepth(size: (height: Int, width: Int)) throws {
    let stream = CounterStream("png/depth")
    let samples = (0..<size.height * size.width).map { i in
      UInt16(truncatingIfNeeded: i / size.width * 7 + i % size.width * 3 + Int(stream[i] % 5))
    }
    let file = try PNGWriter(height: size.height, width: size.width, layout: .gray16)
      .file(samples.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }, threads: 2)
    let layout = PNGPixels.Layout(hasColor: false, is16Bit: true)
    #expect(try PNGPixels.decode(file, as: layout, of: UInt16.self, file: "") == samples)
  }

  /// 8-bit gray files are masks. Even the fastest compression leaves no strip empty.
  @Test(
    "libpng reads every sample of a written 8-bit gray PNG",
    arguments: PNGCompression.allCases, [(1, 1), (300, 401), (2, 70_000)])
  func libpngReadsEveryGrayLevel(
    compression: PNGCompression, size: (height: Int, width: Int)
  ) throws {
    let samples = Array(
      Self.mixed(height: size.height, width: size.width).prefix(size.height * size.width))
    let file = try PNGWriter(
      height: size.height, width: size.width, layout: .gray8, compression: compression
    ).file(samples, threads: 2)
    let layout = PNGPixels.Layout(hasColor: false, is16Bit: false)
    #expect(try PNGPixels.decode(file, as: layout, of: UInt8.self, file: "") == samples)
  }

  /// Slopes with quantization steps, as in refined maps, where a longer search finds more.
  @Test("a slower compression never gives a larger file") func moreTimeMakesSmallerFiles() throws {
    let (height, width) = (300, 400)
    let values = (0..<height * width).map { i -> Float in
      let (y, x) = (Float(i / width), Float(i % width))
      return 1 + y / 300 + ((x / 9).rounded() + (y / 31).rounded()) / 50 + (x * y / 4e4) / 7
    }
    let depth = DepthMap(height: height, width: width, unit: .metres, values: values)
    let files = try PNGCompression.allCases.map { try depth.encoded(as: .png, compression: $0) }
    let maps = try files.map { try DepthMap(decoding: $0, name: "map.png") }
    #expect(maps[0] == maps[1] && maps[1] == maps[2])
    #expect(PNGCompression.allCases == [.fast, .default, .small])
    #expect(files[0].count > files[1].count && files[1].count > files[2].count)
    let view = depth.picture(.turbo)
    let pictures = try PNGCompression.allCases.map { try view.encoded(as: .png, compression: $0) }
    for picture in pictures {
      #expect(try PNGPixels.decode(picture, as: .rgb8, of: UInt8.self, file: "") == view.pixels)
    }
    #expect(pictures[0].count >= pictures[1].count && pictures[1].count >= pictures[2].count)
  }

  @Test("a PNG's bytes do not depend on threads") func bytesDoNotDependOnThreads() throws {
    let (height, width) = (700, 601)
    let writer = try PNGWriter(height: height, width: width, layout: .rgb8)
    let samples = Self.mixed(height: height, width: width)
    let one = try writer.file(samples, threads: 1)
    for threads in [2, 4, 9] { #expect(try writer.file(samples, threads: threads) == one) }
    // Samples exist beforehand, or are made for each strip.
    let gray = try PNGWriter(height: height, width: width, layout: .gray16)
    let rowBytes = 2 * width
    let whole = Array(samples[..<(height * rowBytes)])
    let file = try gray.file(whole, threads: 1)
    for threads in [1, 3] {
      let made = try gray.file(chunks: [], threads: threads) {
        Array(whole[$0.lowerBound * rowBytes..<$0.upperBound * rowBytes])
      }
      #expect(made == file)
    }
  }

  /// A flat picture has a small file. Noise is hardly larger than its bytes.
  @Test("flat and repeating pictures have small files") func sizes() throws {
    let (height, width) = (1000, 1000)
    let writer = try PNGWriter(height: height, width: width, layout: .rgb8)
    let flat = try writer.file([UInt8](repeating: 9, count: 3 * height * width), threads: 2)
    #expect(flat.count < 12_000)
    let noise = TestPicture.noise(height: height, width: width, seed: 3)
    #expect(
      try writer.file(noise.pixels, threads: 2).count < 3 * height * width * 1001 / 1000 + 200)
    // Only a search for matches finds a pattern of 300 random bytes.
    let pattern = (0..<3 * height * width).map { noise.pixels[$0 % 3000 % 300] }
    #expect(try writer.file(pattern, threads: 2).count < 3 * height * width / 50)
  }

  @Test("chunks of a PNG are in order, and depth has no sRGB") func chunksStandInOrder() throws {
    let picture = TestPicture.smooth(
      height: 300, width: 300, metadata: ImageMetadata(exif: ExifFixture(orientation: 1).bytes))
    let types = try PNGChunks(picture.encoded(as: .png), file: "").chunks.map(\.type)
    #expect(types.prefix(4) == ["IHDR", "sRGB", "eXIf", "IDAT"])
    #expect(types.last == "IEND" && Set(types[3..<types.count - 1]) == ["IDAT"])
    let map = DepthMap(height: 1, width: 1, unit: .metres, values: [1])
    let depth = try PNGChunks(map.encoded(as: .png), file: "").chunks.map(\.type)
    // Samples of depth are not colors, so no chunk states a color space.
    #expect(Set(depth) == ["IHDR", "tEXt", "IDAT", "IEND"])
  }

  @Test(
    "a PNG above 268435456 pixels is refused",
    arguments: [(1 << 14, (1 << 14) + 1), (1, (1 << 28) + 1), ((1 << 28) + 1, 1)])
  func unreadableSizesAreNotWritten(size: (height: Int, width: Int)) {
    let error = #expect(throws: DepthError.self) {
      try PNGWriter(height: size.height, width: size.width, layout: .rgb8)
    }
    #expect(
      error?.description
        == "PNG: holds at most 268435456 pixels here, the picture is \(size.width)×\(size.height)")
    #expect(throws: Never.self) {
      try PNGWriter(height: min(size.height, 1 << 14), width: 1 << 14, layout: .rgb8)
    }
  }

  /// Pillow decodes chunks and filters with independent code.
  @Test(
    "Pillow reads every pixel and depth of a written PNG",
    .enabled(if: Pillow.isInstalled, "no Python with Pillow: name one in DEPTH_PYTHON"))
  func pillowReadsEveryPixel() throws {
    let folder = try TemporaryFolder()
    let (height, width) = (411, 503)
    let pixels = Self.mixed(height: height, width: width)
    let picture = Image(height: height, width: width, pixels: pixels)
    try picture.write(to: folder.url("picture.png"))
    #expect(try Pillow.pixels(of: folder.url("picture.png")) == pixels)

    let millimetres = (0..<height * width).map { 1 + UInt16($0 * 7 % 65_535) }
    let map = DepthMap(
      height: height, width: width, unit: .metres, values: millimetres.map { Float($0) / 1000 })
    try map.write(to: folder.url("depth.png"))
    let stored = millimetres.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    #expect(try Pillow.pixels(of: folder.url("depth.png")) == stored)
  }
}
