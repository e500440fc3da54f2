import DepthImages
import Foundation
import PictureFiles
import StereoPhotos
import Testing
import _TestSupport

@testable import DepthCommands

/// `depth stereo --stream` and `depth effect --stream` on the command line.
@Suite struct FilmStreamTests {
  private static let (height, width) = (48, 64)

  /// A box that moves before a wall.
  static func photo(_ index: Int) -> Image {
    Image(
      height: height, width: width,
      pixels: (0..<height * width).flatMap { pixel -> [UInt8] in
        let (y, x) = (pixel / width, pixel % width)
        let isBox = (12..<36).contains(y) && (10 + 2 * index..<26 + 2 * index).contains(x)
        return isBox
          ? [220, UInt8(x * 3), 40] : [UInt8(x * 3), UInt8(y * 4), UInt8((x + y) % 13 * 10)]
      })
  }

  private let raw = [
    "--stream", "--from", "rgb24", "--size", "64x48", "--quiet",
  ]

  private func frames(_ count: Int) -> [UInt8] { (0..<count).flatMap { Self.photo($0).pixels } }

  /// A picture of `depth` for one photo.
  private func still(_ words: [String], _ index: Int) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    let photo = try folder.write(Self.photo(index).encoded(as: .png), to: "photo.png")
    let outcome = try runDepth(
      words + [photo, "--quiet", "-o", folder.path("out.png")])
    #expect(outcome.status == 0, "\(outcome.errors)")
    return try Image(contentsOf: URL(fileURLWithPath: folder.path("out.png"))).pixels
  }

  @Test(
    "stereo frames without a filter equal stereo photos",
    arguments: StereoFormat.all.filter(\.isOnePicture).map(\.name))
  func framesAloneAreThoseOfPhotos(format: String) throws {
    let words = ["stereo", "--format", format, "--shift", "3%"]
    let stream = try runDepth(words + raw + ["--steady", "none"], input: frames(3))
    #expect(stream.status == 0 && stream.errors.isEmpty, "\(stream.errors)")
    let count = stream.output.count / 3
    #expect(Array(stream.output[count..<2 * count]) == (try still(words, 1)), "\(format)")
  }

  @Test(
    "effects on frames without a filter equal effects on photos",
    arguments: [
      "mask --focus 0.7", "mask --from 1m --to 3m --soft 50cm", "spotlight --focus-at 30,20",
      "highlight --focus nearest", "haze",
      "blur --focus 0.6", "blur --focus 2m --style mask",
    ])
  func effectsOfFramesAloneAreThoseOfPhotos(effect: String) throws {
    let words = ["effect"] + effect.split(separator: " ").map(String.init)
    let stream = try runDepth(words + raw + ["--steady", "none"], input: frames(3))
    #expect(stream.status == 0 && stream.errors.isEmpty, "\(stream.errors)")
    let count = stream.output.count / 3
    #expect(Array(stream.output[count..<2 * count]) == (try still(words, 1)), "\(effect)")
  }

  @Test(
    "steady pictures do not depend on threads",
    arguments: [
      "stereo --format anaglyph", "effect blur --focus nearest", "stereo --depth-every 3",
    ])
  func steadyPicturesDoNotDependOnThreads(words: String) throws {
    let words = words.split(separator: " ").map(String.init)
    let runs = try [1, 3].map { threads in
      try runDepth(words + raw + ["--threads", "\(threads)"], input: frames(7))
    }
    #expect(runs[0].status == 0, "\(runs[0].errors)")
    #expect(runs[0].output == runs[1].output)
    let alone = try runDepth(words + raw + ["--steady", "none"], input: frames(7))
    #expect(alone.output != runs[0].output)
    #expect(alone.output.count == runs[0].output.count)
  }

  @Test(
    "streams keep their chroma, range and bits",
    arguments: ["420mpeg2 XCOLORRANGE=LIMITED", "420p10 XCOLORRANGE=FULL", "422", "444"])
  func streamsKeepTheirFormat(tags: String) throws {
    let bits = tags.contains("p10") ? 2 : 1
    let samples = tags.hasPrefix("420") ? 3 : tags.hasPrefix("422") ? 4 : 6
    let frame = [UInt8](repeating: bits == 2 ? 1 : 120, count: 64 * 48 * samples / 2 * bits)
    let stream =
      Array("YUV4MPEG2 W64 H48 F24000:1001 Ip A1:1 C\(tags)\n".utf8)
      + (0..<2).flatMap { _ in Array("FRAME\n".utf8) + frame }
    for (format, width) in [("sbs", 128), ("tb-half", 64)] {
      let outcome = try runDepth(
        ["stereo", "--stream", "--format", format, "--quiet"],
        input: stream)
      #expect(outcome.status == 0, "\(outcome.errors)")
      let line = String(decoding: outcome.output.prefix { $0 != 0x0A }, as: UTF8.self)
      let words = tags.split(separator: " ")
      #expect(line.hasPrefix("YUV4MPEG2 W\(width) H48 F24000:1001 Ip A1:1 C\(words[0])"), "\(line)")
      #expect(line.hasSuffix("XCOLORMATRIX=bt601"))
      if words.count > 1 { #expect(line.contains(words[1])) }
      #expect(outcome.output.count == line.utf8.count + 1 + 2 * (6 + frame.count * width / 64))
    }
    let mixed = try runDepth(
      ["stereo", "--stream", "--format", "rows"], input: stream)
    #expect(String(decoding: mixed.output.prefix(80), as: UTF8.self).contains(" C444"))
    let mask = try runDepth(
      ["effect", "mask", "--focus", "0.5", "--stream"], input: stream)
    #expect(
      String(decoding: mask.output.prefix(80), as: UTF8.self).contains(" Cmono XCOLORRANGE=FULL"))
  }

  @Test("damaged frames are left out and counted") func damagedFramesAreLeftOut() throws {
    var stream: [UInt8] = []
    for index in 0..<6 {
      var bytes = try Self.photo(index).encoded(as: .jpeg(quality: 90))
      if index == 3 { bytes.removeLast(bytes.count / 2) }
      stream += bytes
    }
    for words in [["stereo"], ["effect", "haze"]] {
      let outcome = try runDepth(
        words + ["--stream", "--to", "rgb24"], input: stream)
      #expect(outcome.status == 0 && outcome.errors.contains(", 1 damaged"), "\(outcome.errors)")
      #expect(outcome.output.count == 5 * 64 * 48 * 3 * (words == ["stereo"] ? 2 : 1))
    }
  }

  @Test("--depth-every does not count omitted frames")
  func framesThatAreLeftOutDoNotCount() throws {
    let words = [
      "effect", "haze", "--stream", "--to", "rgb24", "--quiet",
      "--depth-every", "2",
    ]
    var frames = try (0..<6).map { try Self.photo($0).encoded(as: .jpeg(quality: 90)) }
    frames[1].removeLast(frames[1].count / 2)
    let damaged = try runDepth(words, input: frames.flatMap { $0 })
    frames.remove(at: 1)
    let whole = try runDepth(words, input: frames.flatMap { $0 })
    #expect(damaged.status == 0 && whole.status == 0, "\(damaged.errors)")
    #expect(whole.output.count == 5 * 64 * 48 * 3 && damaged.output == whole.output)
  }

  @Test("wrong use of streams ends with status 64 and the reason") func wrongUsage() throws {
    for (arguments, text) in [
      (["stereo", "--from", "y4m"], "require --stream"),
      (["stereo", "--stream", "a.mp4"], "depth stereo --stream"),
      (["stereo", "--stream", "--format", "mpo"], "--format mpo is not for films"),
      (["stereo", "--stream", "--renderer", "gather"], "requires photos"),
      (["stereo", "--stream", "--frame-edges", "crop"], "expected fill or flat"),
      (["stereo", "--stream", "-o", "x.png"], "-o requires photos"),
      (["effect", "haze", "--stream", "--depth", "x.png"], "--depth requires photos"),
      (["effect", "haze", "--stream", "--depth-every", "0"], "--depth-every is 0"),
      (["stereo", "a.png", "--max-parallax", "0"], "--max-parallax is 0.0"),
    ] {
      let outcome = try runDepth(arguments)
      #expect(outcome.status == 64 && outcome.output.isEmpty, "\(arguments)")
      #expect(outcome.errors.contains(text), "\(outcome.errors)")
    }
  }
}
