import Foundation
import Testing
import _TestSupport

/// Kinds of films and streams that give a note.
@Suite struct FilmKindTests {
  private static let source = "-f lavfi -i testsrc2=size=64x48:rate=10:duration=0.3"
  private static let quick = ["--depth-every", "9", "--json", "--overwrite"]

  private func make(_ words: [String], in folder: TemporaryFolder) throws -> [String] {
    let outcome = try FilmTools.video(words + Self.quick, in: folder)
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    return try FilmTools.notes(outcome)
  }

  private func format(_ path: String) throws -> String? {
    try FilmTools.streams(path)[0]["pix_fmt"] as? String
  }

  /// Cameras add data streams, which contain the location.
  @Test(
    "data streams are left out and named",
    .withFFmpeg, arguments: [("gpmd", "mp4"), ("djmd", "mkv"), ("mebx", "mov")])
  func dataStreamsAreNamed(tag: String, output: String) throws {
    let folder = try TemporaryFolder()
    _ = try folder.write(Array("1\n00:00:00,100 --> 00:00:00,300\n48.2082N\n".utf8), to: "s.srt")
    try FilmTools.ffmpeg(
      "\(Self.source) -i s.srt -map 0 -map 1 -c:v libx264 -c:s mov_text s.mp4", in: folder)
    var bytes = Data(try TemporaryFolder.bytes(of: folder.path("s.mp4")))
    for (old, new) in [("sbtl", "meta"), ("tx3g", tag)] {
      bytes.replaceSubrange(
        try #require(bytes.firstRange(of: Data(old.utf8))), with: Data(new.utf8))
    }
    _ = try folder.write(Array(bytes), to: "in.mp4")
    try #require(
      try FilmTools.streams(folder.path("in.mp4")).last?["codec_type"] as? String == "data")
    #expect(
      try make(["in.mp4", "out.\(output)", "--depth"], in: folder)
        == ["leaves out a data stream (\(tag))"])
    #expect(try FilmTools.streams(folder.path("out.\(output)")).count == 1)
    let made = Data(try TemporaryFolder.bytes(of: folder.path("out.\(output)")))
    #expect(made.firstRange(of: Data("48.2082N".utf8)) == nil)
  }

  @Test(
    "a timecode becomes metadata in containers with timecodes",
    .withFFmpeg, arguments: ["mp4", "mov", "mkv", "ts"])
  func timecodeIsMetadata(output: String) throws {
    let folder = try TemporaryFolder()
    try FilmTools.ffmpeg(
      "-f lavfi -i testsrc2=size=64x48:rate=25:duration=0.3 -c:v libx264 -timecode 01:02:03:04 in.mov",
      in: folder)
    let notes = try make(["in.mov", "out.\(output)", "--depth"], in: folder)
    let isKept = output != "ts"
    #expect(
      notes == [
        "leaves out a data stream (tmcd)" + (isKept ? ", whose timecode is kept as metadata" : "")
      ])
    let tags = try FilmTools.streams(folder.path("out.\(output)"))[0]["tags"] as? [String: String]
    let timecode = tags?.first { $0.key.lowercased() == "timecode" }?.value
    #expect(timecode == (isKept ? "01:02:03:04" : nil))
  }

  @Test(
    "chapters that the container cannot hold are named",
    .withFFmpeg, arguments: [("ts", true), ("avi", true), ("mkv", false), ("mov", false)])
  func chaptersAreNamed(output: String, isNamed: Bool) throws {
    let folder = try TemporaryFolder()
    _ = try folder.write(
      Array(";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=200\ntitle=One\n".utf8),
      to: "m.txt")
    try FilmTools.ffmpeg(
      "\(Self.source) -i m.txt -map 0 -map_chapters 1 -c:v libx264 in.mp4", in: folder)
    let notes = try make(["in.mp4", "out.\(output)", "--depth"], in: folder)
    #expect(notes == (isNamed ? ["leaves out chapters, which .\(output) cannot hold"] : []))
  }

  /// ffmpeg decodes only the first view of MV-HEVC.
  @Test(
    "a second view is left out and named",
    .withFFmpeg("libx265"), arguments: ["mp4", "mkv", "ts"])
  func aSecondViewIsNamed(ending: String) throws {
    let folder = try TemporaryFolder()
    try FilmTools.ffmpeg(
      "\(Self.source) -c:v libx265 -x265-params log-level=error one.\(ending)", in: folder)
    #expect(try make(["one.\(ending)", "out.mkv", "--depth"], in: folder).isEmpty)
    var bytes = Data(try TemporaryFolder.bytes(of: folder.path("one.\(ending)")))
    // The head of the video parameter set states one more layer.
    var count = 0
    while let set = bytes.firstRange(of: Data([0x40, 1, 0x0C, 1, 0xFF, 0xFF])) {
      bytes[set.lowerBound + 3] = 0x11
      count += 1
    }
    try #require(count > 0)
    _ = try folder.write(Array(bytes), to: "two.\(ending)")
    #expect(
      try make(["two.\(ending)", "out.mkv", "--depth"], in: folder)
        == ["has a second view (MV-HEVC), which is left out"])
  }

  /// The file does not state the order of fields, but the frames do.
  @Test(
    "an interlaced film of unknown field order is deinterlaced", .withFFmpeg,
    arguments: [
      ("in.dv", "-c:v dvvideo -s 720x576 -r 25 -pix_fmt yuv420p", true),
      ("in.avi", "-c:v dvvideo -s 720x480 -r 30000/1001 -pix_fmt yuv411p", true),
      ("in.avi", "-vf setfield=tff -c:v mpeg4 -flags +ildct+ilme", true),
      ("in.avi", "-c:v mpeg4", false), ("in.avi", "-c:v mjpeg -pix_fmt yuvj422p", false),
      ("in.avi", "-c:v rawvideo -pix_fmt gray", false),
    ])
  func fieldsOfUnknownOrderBecomeFrames(input: String, words: String, isInterlaced: Bool) throws {
    let folder = try TemporaryFolder()
    try FilmTools.ffmpeg(
      "-f lavfi -i testsrc2=size=64x48:rate=25:duration=0.16 \(words) \(input)", in: folder)
    let stream = try FilmTools.streams(folder.path(input))[0]
    try #require(["unknown", nil].contains(stream["field_order"] as? String), "\(stream)")
    let notes = try make(
      [input, "out.mkv", "--effect", "haze", "--strength", "0", "--codec", "ffv1"], in: folder)
    #expect(notes == (isInterlaced ? ["is interlaced, so it is deinterlaced"] : []))
    let made = try FilmTools.streams(folder.path("out.mkv"))[0]
    #expect(["progressive", nil].contains(made["field_order"] as? String), "\(made)")
    #expect(try FilmTools.times(folder.path("out.mkv")).count == 4)
  }

  @Test(
    "interlaced frames of a progressive stream are noted",
    .withFFmpeg, arguments: [("mpeg4", "mkv"), ("mpeg2video", "mov"), ("mpeg2video", "mkv")])
  func interlacedFramesOfAProgressiveStream(codec: String, ending: String) throws {
    let folder = try TemporaryFolder()
    try FilmTools.ffmpeg(
      "-f lavfi -i testsrc2=size=64x48:rate=25:duration=0.16 -c:v \(codec) -flags +ildct+ilme "
        + "-field_order progressive in.\(ending)", in: folder)
    let stream = try FilmTools.streams(folder.path("in.\(ending)"))[0]
    try #require(stream["field_order"] as? String == "progressive")
    #expect(
      try make(["in.\(ending)", "out.mkv", "--depth"], in: folder)
        == ["is interlaced, so it is deinterlaced"])
    #expect(try FilmTools.times(folder.path("out.mkv")).count == 4)
  }

  @Test(
    "HEVC in MP4 and QuickTime has the tag hvc1", .withFFmpeg("libx265"),
    arguments: [
      ("mp4", []), ("mov", ["--segments", "--segment-length", "0.1s"]), ("mkv", []),
    ])
  func hevcHasTheTagHvc1(output: String, segments: [String]) throws {
    let folder = try TemporaryFolder()
    try FilmTools.ffmpeg("\(Self.source) -c:v libx264 in.mp4", in: folder)
    #expect(
      try make(["in.mp4", "out.\(output)", "--depth", "--codec", "libx265"] + segments, in: folder)
        .isEmpty)
    let stream = try FilmTools.streams(folder.path("out.\(output)"))[0]
    #expect(stream["codec_name"] as? String == "hevc")
    #expect((stream["codec_tag_string"] as? String == "hvc1") == (output != "mkv"), "\(stream)")
    #expect(
      try FilmTools.sums(folder.path("out.\(output)"), "-f framemd5").split(separator: "\n").count
        == 3)
  }

  @Test(
    "a stereo film is refused as a source of stereo", .withFFmpeg,
    arguments: [
      ("in.mkv", "-metadata:s:v stereo_mode=left_right", "side by side"),
      ("in.mkv", "-metadata:s:v stereo_mode=top_bottom", "top and bottom"),
      ("in.ts", "-x264-params frame-packing=3", "frame packing"),
      ("made.mp4", "", "side by side"),
    ])
  func stereoFilmsAreNoSources(input: String, words: String, packing: String) throws {
    let folder = try TemporaryFolder()
    try FilmTools.ffmpeg(
      "\(Self.source) -c:v libx264 \(words) in.\(input.split(separator: ".")[1])", in: folder)
    if input == "made.mp4" {
      let made = try FilmTools.video(["in.mp4", "made.mp4", "--stereo", "sbs-half"], in: folder)
      #expect(made.status == 0, "\(made.errors)")
    }
    let refused = try FilmTools.video([input, "out.mp4", "--stereo", "tb-half"], in: folder)
    #expect(refused.status == 1)
    // Newer versions of ffprobe name the packing in the frames.
    let names = [packing, "side by side"]
    #expect(
      names.map { "depth: \(input): holds a stereo film already (\($0)), expected one view\n" }
        .contains(refused.errors), "\(refused.errors)")
    let notes = try make([input, "out.mp4", "--effect", "haze"], in: folder)
    #expect(
      notes.count == 1
        && names.contains {
          notes[0] == "is a stereo film (\($0)), but is processed as a single view"
        },
      "\(notes)")
  }

  @Test(
    "RGB becomes 4:2:0 by default", .withFFmpeg,
    arguments: [
      ("ffv1", "gbrp", [], "yuv420p", 8), ("png", "rgb24", [], "yuv420p", 8),
      ("png", "pal8", [], "yuv420p", 8), ("ffv1", "gbrp10le", [], "yuv420p10le", 10),
      ("png", "rgb48be", [], "yuv420p10le", 10),
      ("ffv1", "gbrp", ["--codec", "libx264"], "yuv444p", nil),
      ("ffv1", "gbrp", ["--stereo", "rows"], "yuv444p", nil),
      ("ffv1", "yuv444p", [], "yuv444p", nil), ("ffv1", "yuv422p10le", [], "yuv422p10le", nil),
    ] as [(String, String, [String], String, Int?)])
  func colorsThatPlayersShow(
    codec: String, old: String, words: [String], new: String, bits: Int?
  ) throws {
    let folder = try TemporaryFolder()
    try FilmTools.ffmpeg("\(Self.source) -c:v \(codec) -pix_fmt \(old) in.mkv", in: folder)
    let made = words.contains("--stereo") ? [] : ["--stereo", "anaglyph"]
    let notes = try make(["in.mkv", "out.mkv"] + made + words, in: folder)
    #expect(try format(folder.path("out.mkv")) == new)
    #expect(
      notes
        == (bits.map { ["has RGB colors, and becomes 4:2:0 of \($0) bits, which players support"] }
          ?? []))
  }

  @Test(
    "a loss of bits in the encoder is noted", .withFFmpeg,
    arguments: [
      ("libx264", "yuv420p12le", "yuv420p10le", 10), ("libx264", "yuv444p12le", "yuv444p10le", 10),
      ("libvpx", "yuv420p12le", "yuv420p", 8), ("libx265", "yuv422p12le", "yuv422p12le", nil),
      ("ffv1", "yuv420p12le", "yuv420p12le", nil), ("libx264", "yuv420p10le", "yuv420p10le", nil),
    ] as [(String, String, String, Int?)])
  func twelveBits(codec: String, old: String, new: String, bits: Int?) throws {
    try FilmTools.require(codec)
    let folder = try TemporaryFolder()
    try FilmTools.ffmpeg("\(Self.source) -c:v ffv1 -pix_fmt \(old) in.mkv", in: folder)
    let notes = try make(
      ["in.mkv", "out.mkv", "--effect", "haze", "--codec", codec], in: folder)
    #expect(try format(folder.path("out.mkv")) == new)
    #expect(notes == (bits.map { ["has 12 bits, of which \(codec) keeps \($0)"] } ?? []))
  }
}
