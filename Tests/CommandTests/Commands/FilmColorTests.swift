import DepthImages
import Foundation
import Testing
import _TestSupport

/// Colors of films: high dynamic range, and tags.
@Suite struct FilmColorTests {
  /// A film of two frames with a limited-range ramp of grays: 64 steps of 4 columns.
  private func makeRamp(_ words: String, in folder: TemporaryFolder) throws {
    let luma = (0..<32).flatMap { _ in
      (0..<256).flatMap { [UInt8(Self.code($0 / 4) & 255), UInt8(Self.code($0 / 4) >> 8)] }
    }
    let chroma = (0..<128 * 16 * 2).flatMap { _ in [UInt8(0), UInt8(2)] }  // 512
    _ = try folder.write(luma + chroma + luma + chroma, to: "ramp.yuv")
    try FilmTools.ffmpeg(
      "-f rawvideo -pix_fmt yuv420p10le -s 256x32 -r 10 -i ramp.yuv \(words)", in: folder)
  }

  /// The 10-bit luma of a step.
  private static func code(_ step: Int) -> Int { 64 + step * 876 / 63 }

  private static func tags(_ transfer: String) -> String {
    "-color_range tv -colorspace bt2020nc -color_primaries bt2020 -color_trc \(transfer)"
  }

  private static let note = "has high dynamic range, which is tone-mapped to standard dynamic range"

  /// The gray level of a photo with a step's luma.
  private static func photo(_ step: Int, _ transfer: String, peak: Double) -> Double {
    let number = Double(code(step) - 64) / 876
    return ReferenceColors.sRGB(
      [number, number, number], primaries: 9, transfer: transfer == "smpte2084" ? .pq : .hlg,
      peak: peak)[0]
  }

  @Test(
    "films of high dynamic range are tone-mapped like photos", .withFFmpeg,
    arguments: [
      ("smpte2084", "", 1000), ("arib-std-b67", "", 1000),
      ("smpte2084", "max-cll=400,100", 400),
      (
        "smpte2084",
        "master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(40000000,50)", 4000
      ),
    ])
  func highDynamicRangeIsThatOfPhotos(transfer: String, light: String, peak: Double) throws {
    if !light.isEmpty { try FilmTools.require("libx265") }
    let folder = try TemporaryFolder()
    try makeRamp(
      light.isEmpty
        ? "-c:v ffv1 \(Self.tags(transfer)) in.mkv"
        : "-c:v libx265 -x265-params log-level=error:lossless=1:\(light) \(Self.tags(transfer)) in.mkv",
      in: folder)
    let copy = try FilmCopy("in.mkv", in: folder)
    #expect(copy.notes == [Self.note])
    for (key, value) in [
      ("pix_fmt", "yuv420p"), ("color_space", "bt709"), ("color_transfer", "bt709"),
      ("color_primaries", "bt709"), ("color_range", "tv"),
    ] { #expect(copy.stream[key] as? String == value, "\(key)") }
    for step in 0..<64 {
      let (found, wanted) = (
        copy.color(of: 1, 4 * step + 1, 16), Self.photo(step, transfer, peak: peak)
      )
      #expect(found.allSatisfy { abs(Double($0) - wanted) <= 1 }, "\(step): \(found), \(wanted)")
    }
  }

  /// The whole program runs here, so luma is rounded.
  @Test("a new film is as bright as a photo", .withFFmpeg)
  func newFilmsAreAsBrightAsPhotos() throws {
    let folder = try TemporaryFolder()
    try makeRamp("-c:v ffv1 \(Self.tags("smpte2084")) in.mkv", in: folder)
    let outcome = try FilmTools.video(
      ["in.mkv", "out.mkv", "--codec", "ffv1", "--effect", "haze", "--strength", "0"]
        + ["--depth-every", "9", "--json"], in: folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try FilmTools.notes(outcome) == [Self.note])
    try FilmTools.ffmpeg(
      "-i out.mkv -frames:v 1 -pix_fmt yuv420p -f rawvideo frame.yuv", in: folder)
    let luma = try TemporaryFolder.bytes(of: folder.path("frame.yuv"))
    for step in 0..<64 {
      let found = (Double(luma[256 * 16 + 4 * step + 1]) - 16) * 255 / 219
      #expect(abs(found - Self.photo(step, "smpte2084", peak: 1000)) <= 2, "\(step): \(found)")
    }
  }

  @Test(
    "the storage of high dynamic range changes no gray", .withFFmpeg,
    arguments: [
      "format=gbrp10le", "format=gbrp12le", "format=yuv422p12le",
      "zscale=m=14:t=16:p=9:r=limited:min=9:tin=16:pin=9:rin=limited,format=yuv444p12le",
      "zscale=m=9:t=16:p=9:r=full:min=9:tin=16:pin=9:rin=limited,format=yuv420p12le",
    ])
  func storageOfHighDynamicRangeChangesNoGray(filter: String) throws {
    let folder = try TemporaryFolder()
    try makeRamp("-c:v ffv1 \(Self.tags("smpte2084")) first.mkv", in: folder)
    try FilmTools.ffmpeg("-i first.mkv -vf \(filter) -c:v ffv1 in.mkv", in: folder)
    let copy = try FilmCopy("in.mkv", in: folder)
    #expect(copy.notes == [Self.note] && copy.stream["pix_fmt"] as? String == "yuv420p")
    for step in 0..<64 {
      let (found, wanted) = (
        copy.color(4 * step + 1, 16), Self.photo(step, "smpte2084", peak: 1000)
      )
      #expect(found.allSatisfy { abs(Double($0) - wanted) <= 2 }, "\(step): \(found), \(wanted)")
    }
  }

  @Test(
    "every color tag of ffprobe is kept, converted or noted", .withFFmpeg,
    arguments: [
      ("bt709", "bt709", "bt709"), ("fcc", "bt470m", "bt470m"), ("bt470bg", "bt470bg", "bt470bg"),
      ("smpte170m", "smpte170m", "smpte170m"), ("smpte240m", "smpte240m", "smpte240m"),
      ("ycgco", "linear", "film"), ("bt2020nc", "bt2020-10", "bt2020"),
      ("bt2020c", "bt2020-12", "bt2020"), ("smpte2085", "log100", "smpte428"),
      ("chroma-derived-nc", "log316", "smpte431"), ("chroma-derived-c", "iec61966-2-4", "smpte432"),
      ("ictcp", "bt1361e", "22"), ("bt709", "iec61966-2-1", "bt709"),
      ("bt709", "smpte428", "bt709"),
      ("bt2020c", "smpte2084", "bt2020"), ("ictcp", "arib-std-b67", "bt2020"),
    ])
  func everyTagIsTried(matrix: String, transfer: String, primaries: String) throws {
    let folder = try TemporaryFolder()
    let codes = ["bt470m": "4", "bt470bg": "5"]
    try FilmTools.ffmpeg(
      "-f lavfi -i testsrc2=size=64x48:rate=10:duration=0.1 -c:v libx264 -pix_fmt yuv420p -color_range tv "
        + "-colorspace \(matrix) -color_trc \(codes[transfer] ?? transfer) -color_primaries \(primaries) in.mkv",
      in: folder)
    let before = try FilmTools.streams(folder.path("in.mkv"))[0]
    try #require(before["color_space"] as? String == matrix)
    try #require(before["color_transfer"] as? String == transfer)
    let copy = try FilmCopy("in.mkv", in: folder)
    guard !["smpte2084", "arib-std-b67"].contains(transfer) else {
      #expect(copy.notes == [Self.note] && copy.stream["color_transfer"] as? String == "bt709")
      return
    }
    for key in ["color_transfer", "color_primaries", "color_range"] {
      #expect("\(copy.stream[key] ?? "none")" == "\(before[key] ?? "none")", "\(key)")
    }
    // An unsupported matrix is converted. If ffmpeg cannot convert the matrix, the tag is removed.
    let isKept = ["bt709", "bt470bg", "smpte170m", "bt2020nc"].contains(matrix)
    let isUnknown = matrix == "smpte2085"
    let name = copy.stream["color_space"] as? String ?? "unknown"
    #expect(name == (isKept ? matrix : isUnknown ? "unknown" : "bt709"))
    #expect(
      copy.notes
        == (isUnknown
          ? [
            "has the color matrix smpte2085, which ffmpeg does not convert; its colors may be wrong"
          ]
          : []))
  }

  @Test(
    "converting a matrix keeps the colors",
    .withFFmpeg, arguments: ["1", "4", "6", "7", "8", "9", "10", "12"])
  func matricesAreConverted(matrix: String) throws {
    let folder = try TemporaryFolder()
    let filter =
      matrix == "4"
      ? "scale=out_color_matrix=fcc:out_range=tv,format=yuv444p10le"
      : "scale=out_color_matrix=bt709:out_range=tv,format=yuv444p10le,"
        + "zscale=min=1:tin=14:pin=9:rin=limited:m=\(matrix):t=14:p=9:r=limited"
    try FilmTools.ffmpeg(
      "-f lavfi -i color=c=0xC04060:size=64x48:rate=10:duration=0.1,format=gbrp -vf \(filter) "
        + "-c:v ffv1 -colorspace \(matrix) -color_trc 14 -color_primaries 9 -color_range tv in.mkv",
      in: folder)
    let copy = try FilmCopy("in.mkv", in: folder)
    #expect(copy.notes.isEmpty)
    let color = copy.color(32, 24)
    #expect(zip(color, [0xC0, 0x40, 0x60]).allSatisfy { abs($0 - $1) <= 2 }, "\(color)")
  }
}
