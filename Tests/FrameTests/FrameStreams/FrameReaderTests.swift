import DepthErrors
import DepthImages
import Foundation
import PictureFiles
import Testing

@testable import FrameStreams

/// Every frame format, read in pieces of any length.
@Suite struct FrameReaderTests {
  /// A stream that gives at most `piece` bytes at once.
  static func source(_ bytes: [UInt8], piece: Int = 1 << 20) -> ByteSource {
    let offset = Offset()
    return ByteSource(name: "test") { buffer in
      let count = min(piece, buffer.count, bytes.count - offset.value)
      buffer.copyBytes(from: bytes[offset.value..<offset.value + count])
      offset.value += count
      return count
    }
  }

  /// Ctrl-C during the header is no fault of the stream.
  @Test("a stop during the header is a cancellation", arguments: [0, 1, 9, 10, 13, 20])
  func aStreamThatIsStoppedInItsHeaderIsCancelled(count: Int) throws {
    let header = Array("YUV4MPEG2 W64 H48 F25:1\n".utf8.prefix(count))
    #expect(throws: CancellationError.self) {
      try FrameReader(Self.source(header), options: .init(), isStopped: { true })
    }
    #expect(throws: DepthError.self) {
      try FrameReader(Self.source(header), options: .init(), isStopped: { false })
    }
  }

  private final class Offset: @unchecked Sendable { var value = 0 }

  static func frames(
    _ bytes: [UInt8], piece: Int = 1 << 20, options: FrameReader.Options = .init()
  ) throws -> [Image] {
    var reader = try FrameReader(source(bytes, piece: piece), options: options)
    var images: [Image] = []
    while let frame = try reader.next() { images.append(try frame.image()) }
    return images
  }

  static func noise(_ count: Int, seed: Int = 1) -> [UInt8] {
    (0..<count).map { UInt8((($0 + seed * 977) &* 2_654_435_761) >> 11 & 255) }
  }

  /// Red, green and blue by the definition, in 64-bit floats.
  private static func reference(
    _ planes: [UInt8], _ header: Y4MHeader, chroma: String, _ matrix: ColorMatrix, full: Bool
  ) -> [Double] {
    let (width, height) = (header.size.width, header.size.height)
    let (red, blue): (Double, Double) = matrix == .bt601 ? (0.299, 0.114) : (0.2126, 0.0722)
    // Luma columns and rows for each chroma sample.
    let steps: (across: Int, down: Int)? =
      switch chroma {
      case "422": (2, 1)
      case "444", "444alpha": (1, 1)
      case "411": (4, 1)
      case "mono": nil
      default: (2, 2)
      }
    let chromaWidth = steps.map { (width + $0.across - 1) / $0.across } ?? 0
    let chromaArea = steps.map { chromaWidth * ((height + $0.down - 1) / $0.down) } ?? 0
    var result: [Double] = []
    for y in 0..<height {
      for x in 0..<width {
        var light = Double(planes[y * width + x])
        var (u, v) = (0.0, 0.0)
        if let steps {
          let at = width * height + y / steps.down * chromaWidth + x / steps.across
          (u, v) = (Double(planes[at]) - 128, Double(planes[at + chromaArea]) - 128)
        }
        if !full { (light, u, v) = ((light - 16) * 255 / 219, u * 255 / 224, v * 255 / 224) }
        let r = light + 2 * (1 - red) * v
        let b = light + 2 * (1 - blue) * u
        // Transparent pixels are drawn over white.
        let alpha = chroma == "444alpha" ? Double(planes[3 * chromaArea + y * width + x]) / 255 : 1
        result += [r, (light - red * r - blue * b) / (1 - red - blue), b].map {
          max(0, min(255, $0)) * alpha + 255 * (1 - alpha)
        }
      }
    }
    return result
  }

  @Test(
    "frames of luma and chroma have the colors of their definition",
    arguments: ["420jpeg", "420mpeg2", "422", "444", "444alpha", "411", "mono"], [1, 7, 100_000])
  func lumaAndChroma(chroma: String, piece: Int) throws {
    for (tags, matrix, isFull) in [
      ("", ColorMatrix.bt601, chroma == "mono"), (" I? XCOLORRANGE=FULL", .bt601, true),
      (" XCOLORMATRIX=bt709 XCOLORRANGE=LIMITED", .bt709, false),
    ] {
      let line = Array("YUV4MPEG2 W13 H7 F30000:1001 Ip A1:1 C\(chroma) XYSCSS=X\(tags)".utf8)
      let header = try Y4MHeader(line, file: "test")
      var bytes = line + [0x0A]
      for seed in 0..<2 {
        bytes += Array("FRAME Ip\n".utf8) + Self.noise(header.frameBytes, seed: seed)
      }
      let images = try Self.frames(bytes, piece: piece)
      #expect(images.count == 2)
      for (seed, image) in images.enumerated() {
        let wanted = Self.reference(
          Self.noise(header.frameBytes, seed: seed), header, chroma: chroma, matrix, full: isFull)
        let worst = zip(image.pixels, wanted).map { abs(Double($0) - $1) }.max() ?? 0
        #expect(worst <= (chroma == "444alpha" ? 1.01 : 0.51), "\(chroma)\(tags)")
      }
    }
  }

  @Test("raw frames of RGB and BGRA are read", arguments: [1, 5, 4096])
  func rawFrames(piece: Int) throws {
    let rgb = Self.noise(2 * 5 * 3 * 3)
    var options = FrameReader.Options()
    options.size = PixelSize(width: 5, height: 3)
    options.format = .rgb24
    #expect(
      try Self.frames(rgb, piece: piece, options: options).map(\.pixels)
        == [Array(rgb[..<45]), Array(rgb[45...])])
    options.format = .bgra
    var bgra: [UInt8] = []
    for at in stride(from: 0, to: 90, by: 3) { bgra += [rgb[at + 2], rgb[at + 1], rgb[at], 9] }
    #expect(
      try Self.frames(bgra, piece: piece, options: options).map(\.pixels).joined().elementsEqual(
        rgb))
  }

  @Test("samples of PPM and PGM are scaled by their maximum", arguments: [1, 4096])
  func netpbm(piece: Int) throws {
    let color: [UInt8] = [0, 50, 100, 100, 7, 200]
    var bytes = Array("P6\n# a comment\n2 1\n255\n".utf8) + color
    bytes += Array("\nP5 2 1 100\n".utf8) + [100, 50]
    bytes += Array("P5 2 1 65535\n".utf8) + [255, 255, 128, 0]
    #expect(
      try Self.frames(bytes, piece: piece).map(\.pixels) == [
        color, [255, 255, 255, 128, 128, 128], [255, 255, 255, 128, 128, 128],
      ])
  }

  @Test("thumbnails and padding do not end a frame of Motion JPEG", arguments: [1, 3, 100_000])
  func motionJPEG(piece: Int) throws {
    let photos = (0..<3).map {
      Image(height: 24, width: 40, pixels: Self.noise(24 * 40 * 3, seed: $0))
    }
    let files = try photos.map { try $0.encoded(as: .jpeg()) }
    let thumbnail: [UInt8] = [0xFF, 0xFF, 0xFF, 0xEF, 0, 8, 0xFF, 0xD8, 1, 2, 0xFF, 0xD9]
    var stream: [UInt8] = []
    for file in files { stream += Array(file[..<2]) + thumbnail + Array(file[2...]) + [0, 0] }
    let frames = try Self.frames(stream, piece: piece)
    let wanted = try files.map { try Image(decoding: $0, name: "x").pixels }
    #expect(frames.map { $0.pixels } == wanted)
  }

  /// Otherwise all later frame numbers would be wrong. The frame's thumbnail is damaged, too.
  @Test("a damaged frame with several start markers counts once")
  func aDamagedFrameCountsOnceHoweverManyStartsItHolds() throws {
    let jpeg = try Image(height: 16, width: 16, pixels: Self.noise(768)).encoded(as: .jpeg())
    let start: [UInt8] = [0xFF, 0xD8, 0xFF, 0xEF, 0, 3, 1]
    let segment = [0xFF, 0xEF, 0, UInt8(2 + 2 * start.count)] + start + start
    let damaged = jpeg[..<2] + segment + jpeg[2...].dropLast(9)
    var reader = try FrameReader(Self.source(jpeg + damaged + jpeg), options: .init())
    var indices: [Int] = []
    while let frame = try reader.next() { indices.append(frame.index) }
    #expect(indices == [0, 2] && reader.damaged.value == 1)
  }

  @Test("whole frames are read before a truncated frame fails") func framesThatAreCutOff() throws {
    let jpeg = try Image(height: 16, width: 16, pixels: Self.noise(768)).encoded(as: .jpeg())
    let y4m = Array("YUV4MPEG2 W4 H4 Cmono\nFRAME\n".utf8) + Self.noise(16)
    let ppm = Array("P6 2 2 255\n".utf8) + Self.noise(12)
    for whole in [jpeg, y4m, ppm] {
      let second = whole == y4m ? Array("FRAME\n".utf8) + Self.noise(16) : whole
      for missing in [1, 3, second.count - 3] {
        var reader = try FrameReader(
          Self.source(whole + second.dropLast(missing)), options: .init())
        #expect(try reader.next() != nil)
        #expect(throws: DepthError.self) { try reader.next() }
      }
    }
    var reader = try FrameReader(Self.source(y4m.dropLast(2)), options: .init())
    #expect {
      try reader.next()
    } throws: {
      "\($0)" == "test: frame 0 ends after 14 of 16 bytes"
    }
  }

  @Test(
    "an error about a damaged header names the format",
    arguments: [
      ("P5 2 1 70000\n", "test: damaged PGM: the maximum is 70000, expected 1 to 65535"),
      ("P6 2 x 255\n", "test: damaged PPM: the header has no width, height and maximum"),
    ])
  func damagedHeaders(header: String, text: String) {
    #expect {
      var reader = try FrameReader(Self.source(Array(header.utf8)), options: .init())
      _ = try reader.next()
    } throws: {
      "\($0)" == text
    }
  }

  @Test("a frame of another size in mid-stream is refused") func anotherSizeInMidStream() throws {
    let bytes =
      Array("P5 2 1 255\n".utf8) + [1, 2] + Array("P5 1 2 255\n".utf8) + [1, 2]
    var reader = try FrameReader(Self.source(bytes), options: .init())
    _ = try reader.next()
    #expect {
      try reader.next()
    } throws: {
      "\($0)" == "test: frame 1 is 1×2, expected 2×1 as the frames before it"
    }
  }

  @Test(
    "an unusable header is refused with the reason",
    arguments: [
      ("", "test: is empty, expected frames"),
      ("YUV4MPEG2 W4 H4 Cxyz\n", "chroma format Cxyz"), ("YUV4MPEG2 W4 H4 C420p14\n", "C420p14"),
      ("YUV4MPEG2 W4 H4 It\n", "interlaced frames (It)"),
      ("YUV4MPEG2 W4 H4 XCOLORMATRIX=ycgco\n", "XCOLORMATRIX=ycgco"),
      ("YUV4MPEG2 W4\n", "no width and height"), ("YUV4MPEG2 W4 H4 F1:x\n", "frame rate is '1:x'"),
      ("YUV4MPEG2 W0 H4\n", "0×4"), ("YUV4MPEG2 W-1 H4\n", "-1×4"),
      ("YUV4MPEG2 W9999999999 H9999999999\n", "expected at most"),
      ("GIF89a frames\n", "an unknown format"),
    ])
  func headersThatAreRefused(header: String, text: String) {
    #expect {
      try FrameReader(Self.source(Array(header.utf8)), options: .init())
    } throws: {
      "\($0)".contains(text)
    }
  }

  @Test("noise behind any header gives frames or an error") func noiseBehindAnyHeader() {
    let starts = ["YUV4MPEG2 W3 H3\nFRAME\n", "P6 3 3 255\n", "\u{00}", "P5 99999 99999 255\n"]
    for (index, start) in starts.enumerated() {
      for seed in 0..<20 {
        var bytes = index == 2 ? [0xFF, 0xD8, 0xFF] : Array(start.utf8)
        bytes += Self.noise(300, seed: seed * 31 + index)
        _ = try? Self.frames(bytes)
      }
    }
  }
}
