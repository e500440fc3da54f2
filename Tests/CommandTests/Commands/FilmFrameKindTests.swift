import DepthImages
import Foundation
import Testing
import _TestSupport

@testable import FilmFiles

/// Films with alpha, few or many bits, or a change of size.
@Suite struct FilmFrameKindTests {
  private static let effect = [
    "--effect", "haze", "--strength", "0", "--depth-every", "9", "--json",
  ]
  /// The thirds are opaque, half transparent, and transparent with a hidden color.
  private static let transparent =
    "-f lavfi -i color=c=black:size=96x48:rate=10:duration=0.2,format=rgba,"
    + "geq=r=200:g=40:b=80:a='if(lt(X,32),255,if(lt(X,64),128,0))'"

  @Test("formats have the bits, alpha and colors of ffmpeg's table", .withFFmpeg)
  func formatsAreThoseOfFFmpeg() throws {
    let table = try FFmpeg.text(FFmpeg().ffmpeg, ["-hide_banner", "-pix_fmts"])
    var count = 0
    for line in table.split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      guard words.count == 5, let channels = Int(words[2]), channels > 0, words[0].count >= 5,
        !words[1].hasPrefix("bayer"),
        let depth = words[4].split(separator: "-").compactMap({ Int($0) }).max()
      else { continue }
      let (name, format) = (words[1], SampleFormat(words[1]))
      count += 1
      #expect(format.hasAlpha == (channels % 2 == 0 || name == "pal8"), "\(name)")
      #expect(
        format.bits == (channels == 1 && depth == 1 ? 1 : min(max(depth, 8), 16)), "\(name)")
      #expect((format.colors == .gray) == (channels < 3 && name != "pal8"), "\(name)")
    }
    #expect(count > 150)
  }

  @Test(
    "formats of chipsets are read without losing bits or chroma", .withFFmpeg,
    arguments: [
      ("p010le", "yuv420p10le"), ("p210le", "yuv422p10le"), ("p410le", "yuv444p10le"),
      ("y210le", "yuv422p10le"), ("xv30le", "yuv444p10le"), ("nv16", "yuv422p"),
      ("nv24", "yuv444p"), ("yuyv422", "yuv422p"), ("gray10le", "gray10le"), ("monow", "gray"),
      ("yuvj440p", "yuvj444p"), ("yuvj411p", "yuvj444p"), ("yuv410p", "yuv420p"),
    ])
  func formatsAreReadWithoutLoss(old: String, new: String) throws {
    let decoder = FilmProbe.decoder
    let video = try decoder.decode(
      FilmProbe.Stream.self, from: Data(#"{"index":0,"pix_fmt":"\#(old)"}"#.utf8))
    let first = try decoder.decode(FirstFrames.self, from: Data(#"{"frames":[]}"#.utf8))
    let decoding = try FilmDecoding(
      video, first, of: "in.mkv", encoder: "libx264", keepsChroma: false, tools: FFmpeg())
    #expect(decoding.pixelFormat == new && decoding.warnings.isEmpty, "\(decoding.pixelFormat)")
    #expect((decoding.range == .full) == old.hasPrefix("yuvj"))
  }

  @Test(
    "hidden colors of transparent films are drawn over white", .withFFmpeg,
    arguments: [
      ("png", "-c:v png", "mov", "yuv420p"),
      ("png", "-c:v png -pix_fmt rgba64be", "mov", "yuv420p10le"),
      ("qtrle", "-c:v qtrle -pix_fmt argb", "mov", "yuv420p"),
      ("prores_ks", "-c:v prores_ks -profile:v 4444 -pix_fmt yuva444p10le", "mov", "yuv444p10le"),
      ("apng", "-c:v apng", "apng", "yuv420p"),
      (
        "libvpx-vp9", "-c:v libvpx-vp9 -pix_fmt yuva420p -auto-alt-ref 0 -crf 4 -b:v 0", "webm",
        "yuv420p"
      ),
      (
        "libvpx", "-c:v libvpx -pix_fmt yuva420p -auto-alt-ref 0 -crf 4 -b:v 4M", "webm", "yuv420p"
      ),
      ("ffv1", "-c:v ffv1 -pix_fmt bgra", "mkv", "yuv420p"),
      ("utvideo", "-c:v utvideo -pix_fmt gbrap", "avi", "yuv420p"),
      ("ffv1", "-c:v ffv1 -pix_fmt yuva422p10le", "mkv", "yuv422p10le"),
      ("ffv1", "-c:v ffv1 -pix_fmt gbrap12le", "mkv", "yuv420p10le"),
      ("rawvideo", "-c:v rawvideo -pix_fmt bgra", "mov", "yuv420p"),
    ])
  func hiddenColorsStayHidden(
    encoder: String, words: String, ending: String, format: String
  ) throws {
    try FilmTools.require(encoder)
    let folder = try TemporaryFolder()
    try FilmTools.ffmpeg("\(Self.transparent) \(words) in.\(ending)", in: folder)
    let copy = try FilmCopy("in.\(ending)", in: folder)
    #expect(copy.stream["pix_fmt"] as? String == format)
    for (x, wanted) in [(12, [200, 40, 80]), (46, [227, 147, 167]), (84, [255, 255, 255])] {
      let color = copy.color(of: 1, x, 24)
      #expect(
        zip(color, wanted).allSatisfy { abs($0 - $1) <= 6 }, "\(color), expected \(wanted)")
    }
  }

  @Test("a new film hides the colors of transparent pixels", .withFFmpeg)
  func newFilmsHideColors() throws {
    let folder = try TemporaryFolder()
    try FilmTools.ffmpeg("\(Self.transparent) -c:v png in.mov", in: folder)
    let outcome = try FilmTools.video(["in.mov", "out.mkv"] + Self.effect, in: folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let color = try FilmCopy("out.mkv", in: folder).color(84, 24)
    #expect(color.allSatisfy { $0 >= 250 }, "\(color)")
  }

  /// The fourth byte of uncompressed AVI pixels is unused, and mostly 0.
  @Test("uncompressed AVI has no alpha", .withFFmpeg) func uncompressedAVIHasNoAlpha() throws {
    let folder = try TemporaryFolder()
    try FilmTools.ffmpeg("\(Self.transparent) -c:v rawvideo -pix_fmt bgra in.avi", in: folder)
    let color = try FilmCopy("in.avi", in: folder).color(84, 24)
    #expect(zip(color, [200, 40, 80]).allSatisfy { abs($0 - $1) <= 6 }, "\(color)")
  }

  @Test("gray with alpha is drawn over white", .withFFmpeg) func grayWithAlpha() throws {
    let folder = try TemporaryFolder()
    try FilmTools.ffmpeg(
      "-f lavfi -i color=c=black:size=96x48:rate=10:duration=0.2,format=rgba,"
        + "geq=r=60:g=60:b=60:a='if(lt(X,48),255,0)' -c:v png -pix_fmt ya8 in.mov", in: folder)
    let copy = try FilmCopy("in.mov", in: folder)
    #expect(copy.color(12, 24).allSatisfy { abs($0 - 60) <= 3 }, "\(copy.color(12, 24))")
    #expect(copy.color(84, 24).allSatisfy { $0 >= 253 }, "\(copy.color(84, 24))")
  }

  /// Gray becomes 4:2:0.
  @Test(
    "lost bits of a film are noted", .withFFmpeg,
    arguments: [
      ("ffv1", "gray10le", "mkv", "yuv420p10le", nil), ("ffv1", "gray", "mkv", "yuv420p", nil),
      ("ffv1", "gray12le", "mkv", "yuv420p10le", "has 12 bits, of which libx264 keeps 10"),
      ("ffv1", "gray16le", "mkv", "yuv420p10le", "has 16 bits, of which libx264 keeps 10"),
      ("rawvideo", "nv12", "nut", "yuv420p", nil),
      ("ffv1", "yuv422p14le", "mkv", "yuv422p10le", "has 14 bits, of which libx264 keeps 10"),
      ("ffv1", "yuv420p9le", "mkv", "yuv420p10le", nil), ("png", "monob", "mov", "yuv420p", nil),
      ("rawvideo", "monow", "nut", "yuv420p", nil),
    ] as [(String, String, String, String, String?)])
  func bitsStay(codec: String, old: String, ending: String, new: String, note: String?) throws {
    let folder = try TemporaryFolder()
    try FilmTools.ffmpeg(
      "-f lavfi -i color=c=black:size=96x48:rate=10:duration=0.2 -vf drawbox=c=white:t=fill:w=48 "
        + "-c:v \(codec) -pix_fmt \(old) in.\(ending)", in: folder)
    let copy = try FilmCopy("in.\(ending)", in: folder)
    #expect(copy.notes == (note.map { [$0] } ?? []))
    let format = copy.stream["pix_fmt"] as? String
    // Full-range gray stays full range as 4:2:0. The format's older name states that range.
    #expect(format == new || format == new.replacing("yuv4", with: "yuvj4"), "\(format ?? "")")
    // Black and white have the levels that players expect.
    for copy in [copy, try FilmCopy("copy", to: "again", in: folder)] {
      #expect(copy.color(20, 24).allSatisfy { $0 >= 252 }, "\(copy.color(20, 24))")
      #expect(copy.color(76, 24).allSatisfy { $0 <= 3 }, "\(copy.color(76, 24))")
    }
  }

  /// A film that turns from landscape to portrait.
  private func turned(in folder: TemporaryFolder) throws {
    for (name, size) in [("a", "128x96"), ("b", "96x128")] {
      try FilmTools.ffmpeg(
        "-f lavfi -i color=c=white:size=\(size):rate=10:duration=0.6 -c:v libx264 -bf 0 \(name).h264",
        in: folder)
    }
    let bytes = try ["a.h264", "b.h264"].flatMap { try TemporaryFolder.bytes(of: folder.path($0)) }
    _ = try folder.write(bytes, to: "in.h264")
  }

  private static let note =
    "changes its size from 128×96 to 96×128; the new film keeps the first size, with bars beside "
    + "frames of another shape"

  @Test("frames of another size get bars", .withFFmpeg, arguments: [0, 3, 8])
  func partsOfAnotherSizeHaveBars(skipping: Int) throws {
    let folder = try TemporaryFolder()
    try turned(in: folder)
    let copy = try FilmCopy("in.h264", skipping: skipping, in: folder)
    #expect(copy.notes == [Self.note])
    #expect(copy.images.keys.sorted() == Array(skipping..<12))
    for index in copy.images.keys {
      for x in [2, 25, 31, 64, 97, 102, 125] {
        let isBar = index >= 6 && !(28..<100).contains(x)
        let color = copy.color(of: index, x, 48)
        #expect(color.allSatisfy { isBar ? $0 <= 2 : $0 >= 250 }, "\(index), \(x): \(color)")
      }
      #expect(copy.color(of: index, 64, 0).allSatisfy { $0 >= 250 })
    }
  }

  @Test("a note names the sizes of the frames", .withFFmpeg) func aNoteNamesTheSizes() throws {
    let folder = try TemporaryFolder()
    try turned(in: folder)
    let outcome = try FilmTools.video(["in.h264", "out.mkv"] + Self.effect, in: folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try FilmTools.notes(outcome) == [Self.note])
    let times = try FilmTools.times(folder.path("out.mkv"))
    #expect(times.count == 12)
  }

  @Test("the blur of a lens is limited in films", .withFFmpeg)
  func aLensDoesNotEndAFilm() throws {
    let folder = try TemporaryFolder()
    try FilmTools.ffmpeg(
      "-f lavfi -i testsrc2=size=64x48:rate=10:duration=0.3 -c:v ffv1 -pix_fmt yuv420p in.mkv",
      in: folder)
    let lens = ["--aperture", "1", "--lens", "400mm", "--focus", "50m", "--focal-length", "26mm"]
    let note =
      "the lens blurs some points over more than 10 % of the width; they are blurred over 10 %"
    let film = try FilmTools.video(
      ["in.mkv", "out.mkv", "--effect", "blur", "--json", "--depth-every", "9"] + lens, in: folder)
    #expect(film.status == 0, "\(film.errors)")
    #expect(try FilmTools.notes(film).filter { $0.hasPrefix("the lens") } == [note])
    try FilmTools.ffmpeg("-i in.mkv -f yuv4mpegpipe in.y4m", in: folder)
    let stream = try runDepth(
      ["effect", "blur", "--stream"] + lens, input: TemporaryFolder.bytes(of: folder.path("in.y4m"))
    )
    #expect(stream.status == 0, "\(stream.errors)")
    #expect(stream.errors.components(separatedBy: note).count == 2, "\(stream.errors)")
    try FilmTools.ffmpeg("-i in.mkv -frames:v 1 in.png", in: folder)
    let photo = try runDepth(
      ["effect", "blur", "in.png", "-o", "photo.png"] + lens, in: folder)
    #expect(photo.status == 1 && photo.errors.contains("expected at most 10 %"), "\(photo.errors)")
  }
}
