import DepthImages
import Foundation
import PictureFiles
import StereoPhotos
import Testing
import _TestSupport

@testable import FilmRuns
@testable import depth

/// `depth video` on films that ffmpeg makes.
@Suite(.offPool) struct VideoTests {
  static let places = ["/usr/bin/", "/usr/local/bin/", "/opt/homebrew/bin/"]
  static let ffmpegPath = places.map { $0 + "ffmpeg" }
    .first(where: FileManager.default.isExecutableFile(atPath:))
  static let absence: Comment = "ffmpeg is not installed; Scripts/install-test-tools.sh installs it"

  func ffmpeg(_ words: String, in folder: TemporaryFolder) throws {
    let tool = CommandLineTool(at: try #require(Self.ffmpegPath))
    let outcome = try tool.run(
      ["-v", "error", "-nostdin", "-y"] + words.split(separator: " ").map(String.init),
      in: folder.path)
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  /// What ffprobe says of a film: JSON.
  private func probe(_ path: String, _ words: String = "-show_streams -show_format -show_chapters")
    throws -> [String: Any]
  {
    let tool = CommandLineTool(
      at: try #require(Self.ffmpegPath).replacing("/ffmpeg", with: "/ffprobe"))
    let outcome = try tool.run(
      ["-v", "error", "-of", "json"] + words.split(separator: " ").map(String.init) + [path])
    return try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any])
  }

  func streams(_ path: String) throws -> [[String: Any]] {
    try #require(try probe(path)["streams"] as? [[String: Any]])
  }

  /// Times of the pictures, sorted.
  private func times(_ path: String) throws -> [String] {
    let packets = try #require(
      try probe(path, "-select_streams v:0 -show_entries packet=pts_time")["packets"]
        as? [[String: Any]])
    return packets.compactMap { $0["pts_time"] as? String }.sorted {
      (Double($0) ?? 0) < (Double($1) ?? 0)
    }
  }

  /// Checksums of a film's decoded frames and sound, or of its sound's packets.
  private func sums(_ path: String, _ words: String) throws -> String {
    let outcome = try CommandLineTool(at: try #require(Self.ffmpegPath)).run(
      ["-v", "error", "-nostdin", "-i", path] + words.split(separator: " ").map(String.init) + ["-"]
    )
    return outcome.text.split(separator: "\n").filter { !$0.hasPrefix("#") }.joined(separator: "\n")
  }

  func video(_ words: [String], in folder: TemporaryFolder) throws
    -> CommandLineTool.Outcome
  {
    try depthTool.run(["video"] + words + ["--weights", "compact", "--quiet"], in: folder.path)
  }

  /// Sound, subtitles, chapters, tags and times stay.
  @Test(.enabled(if: ffmpegPath != nil, absence), arguments: ["mp4", "mkv"])
  func everythingElseStays(container: String) throws {
    let folder = try TemporaryFolder()
    _ = try folder.write(Array("1\n00:00:00,100 --> 00:00:00,300\nHello\n".utf8), to: "s.srt")
    _ = try folder.write(
      Array(
        (";FFMETADATA1\ntitle=A film\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=200\ntitle=One\n"
          + "[CHAPTER]\nTIMEBASE=1/1000\nSTART=200\nEND=480\ntitle=Two\n").utf8), to: "m.txt")
    let text = container == "mp4" ? "mov_text" : "srt"
    try ffmpeg(
      "-f lavfi -i testsrc2=size=64x48:rate=25 -f lavfi -i sine -i s.srt -i m.txt -t 0.48 -map 0 -map 1 -map 2 "
        + "-map_metadata 3 -map_chapters 3 -metadata:s:a:0 language=deu -c:v libx264 -threads 1 -c:a aac "
        + "-color_primaries bt709 -color_trc bt709 -colorspace bt709 -color_range tv -c:s \(text) in.\(container)",
      in: folder)
    let outcome = try video(["in.\(container)", "out.\(container)", "--stereo", "sbs"], in: folder)
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    let (old, new) = (folder.path("in.\(container)"), folder.path("out.\(container)"))
    let (before, after) = (try streams(old), try streams(new))
    #expect(before.count == after.count)
    let changing: Set = [
      "width", "coded_width", "display_aspect_ratio", "level", "bit_rate", "side_data_list",
      "extradata_size", "has_b_frames", "profile", "duration_ts", "duration", "disposition",
      "tags",
    ]
    for (old, new) in zip(before, after) {
      #expect(old["disposition"] as? [String: Int] == new["disposition"] as? [String: Int])
      let lengths = [old, new].map { ($0["duration"] as? String).flatMap { Double($0) } ?? 0 }
      #expect(abs(lengths[0] - lengths[1]) <= 0.04, "\(lengths)")
      for (key, value) in old where !changing.contains(key) {
        #expect("\(value)" == "\(new[key] ?? "nothing")", "\(key)")
      }
      let (tags, kept) = (old["tags"] as? [String: String], new["tags"] as? [String: String])
      for (key, value) in tags ?? [:]
      where !key.uppercased().hasPrefix("ENCODER") && key != "DURATION" {
        #expect(kept?[key] == value, "\(key)")
      }
    }
    #expect(after[0]["width"] as? Int == 128)
    let stereo = (after[0]["side_data_list"] as? [[String: Any]])?.first {
      $0["side_data_type"] as? String == "Stereo 3D"
    }
    #expect(stereo?["type"] as? String == "side by side")
    #expect(try times(old) == times(new))
    #expect(try sums(old, "-map 0:a -c copy -f md5") == sums(new, "-map 0:a -c copy -f md5"))
    let chapters = try [old, new].map {
      (try probe($0)["chapters"] as? [[String: Any]])?.map {
        "\($0["start_time"] ?? "") \(($0["tags"] as? [String: String])?["title"] ?? "")"
      }
    }
    #expect(chapters[0] == chapters[1] && chapters[0]?.count == 2)
    let title = (try probe(new)["format"] as? [String: Any])?["tags"] as? [String: String]
    #expect(title?["title"] == "A film")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 4)
  }

  /// Films that are not like most.
  @Test(
    .enabled(if: ffmpegPath != nil, absence),
    arguments: [
      ("ten bits", "-t 0.2 -c:v libx264 -pix_fmt yuv420p10le -color_range tv", "mkv"),
      ("4:2:2", "-t 0.2 -c:v libx264 -pix_fmt yuv422p", "mp4"),
      ("variable rate", "-t 0.4 -vf select='not(mod(n,3))+lt(n,4)' -vsync vfr -c:v libx264", "mp4"),
      ("one frame", "-frames:v 1 -c:v libx264", "mp4"),
      ("full range", "-t 0.2 -c:v mjpeg -pix_fmt yuvj420p", "avi"),
      ("wide pixels", "-t 0.2 -vf setsar=16/11 -c:v libx264", "mp4"),
    ])
  func oddFilms(name: String, words: String, ending: String) throws {
    let folder = try TemporaryFolder()
    try ffmpeg("-f lavfi -i testsrc2=size=64x48:rate=24 \(words) in.\(ending)", in: folder)
    let outcome = try video(["in.\(ending)", "out.\(ending)", "--stereo", "tab-half"], in: folder)
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(name): \(outcome.errors)")
    let (old, new) = (folder.path("in.\(ending)"), folder.path("out.\(ending)"))
    let (before, after) = (try streams(old)[0], try streams(new)[0])
    for key in ["width", "height", "sample_aspect_ratio", "pix_fmt", "color_range", "r_frame_rate"]
    {
      #expect("\(before[key] ?? "")" == "\(after[key] ?? "")", "\(name): \(key)")
    }
    // AVI has no times, Motion JPEG no B-frames.
    if ending != "avi" { #expect(try times(old) == times(new), "\(name)") }
  }

  /// Rotation tags are followed, odd sides end at whole samples of chroma, high dynamic range is not kept.
  @Test(.enabled(if: ffmpegPath != nil, absence)) func filmsThatComeOutOtherwise() throws {
    let folder = try TemporaryFolder()
    let source = "-f lavfi -i testsrc2=size=64x48:rate=24 -t 0.1"
    try ffmpeg("\(source) -c:v libx264 up.mp4", in: folder)
    try ffmpeg("-i up.mp4 -c copy -metadata:s:v rotate=90 turned.mp4", in: folder)
    try ffmpeg(
      "-f lavfi -i testsrc2=size=65x49:rate=24 -t 0.1 -c:v ffv1 -pix_fmt yuv420p odd.mkv",
      in: folder)
    for (input, output, size) in [
      ("turned.mp4", "a.mp4", [48, 64]), ("odd.mkv", "b.mkv", [64, 48]),
    ] {
      let outcome = try video([input, output, "--effect", "haze"], in: folder)
      #expect(outcome.status == 0, "\(outcome.errors)")
      let stream = try streams(folder.path(output))[0]
      #expect([stream["width"] as? Int, stream["height"] as? Int] == size, "\(input)")
      #expect(
        stream["side_data_list"] == nil && (stream["tags"] as? [String: String])?["rotate"] == nil)
    }
    try ffmpeg(
      "\(source) -c:v libx264 -color_trc smpte2084 -color_primaries bt2020 -colorspace bt2020nc hdr.mkv",
      in: folder)
    let outcome = try video(["hdr.mkv", "sdr.mkv", "--depth"], in: folder)
    if outcome.status == 0 {
      #expect(try streams(folder.path("sdr.mkv"))[0]["color_transfer"] as? String == "bt709")
    } else {
      #expect(outcome.errorLines.count == 1 && outcome.errors.contains("high dynamic range"))
    }
  }

  @Test(.enabled(if: ffmpegPath != nil, absence)) func whatIsNoFilmSaysSo() throws {
    let folder = try TemporaryFolder()
    try ffmpeg("-f lavfi -i sine -t 0.1 sound.m4a", in: folder)
    try ffmpeg("-f lavfi -i testsrc2=size=64x48:rate=24 -t 0.2 -c:v libx264 whole.mp4", in: folder)
    _ = try folder.write(
      Array(TemporaryFolder.bytes(of: folder.path("whole.mp4")).prefix(700)), to: "cut.mp4")
    for (words, text) in [
      (["sound.m4a", "x.mp4"], "sound.m4a: has no video"),
      (["cut.mp4", "x.mp4"], "cut.mp4: ffprobe: moov atom not found"),
      (["none.mp4", "x.mp4"], "none.mp4: ffprobe: "),
      (["whole.mp4", "cut.mp4"], "cut.mp4: exists already"),
      (["whole.mp4", "x.mp4", "--codec", "h264_none"], "the encoder is h264_none"),
      (["whole.mp4", "x.mp4", "--codec", "gif"], "ffmpeg"),
    ] {
      let outcome = try video(words + ["--depth"], in: folder)
      #expect(outcome.errors.contains(text), "\(outcome.errors)")
      if words.last != "gif" { #expect(outcome.status == 1 && outcome.errorLines.count == 1) }
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(!names.contains { $0.hasPrefix(".") }, "\(names)")
    let missing = try depthTool.run(
      ["video", "whole.mp4", "y.mp4", "--depth"], environment: ["PATH": "/nowhere"], in: folder.path
    )
    #expect(missing.status == 1)
    #expect(missing.errors.hasPrefix("depth: ffmpeg is not on the path: 'sudo apt install ffmpeg'"))
  }

  @Test(.enabled(if: ffmpegPath != nil, absence)) func foldersAndParts() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.path("in"), withIntermediateDirectories: true)
    for name in ["a.mp4", "b.mkv"] {
      try ffmpeg(
        "-f lavfi -i testsrc2=size=64x48:rate=10 -f lavfi -i sine -t 1 -c:v libx264 -c:a aac in/\(name)",
        in: folder)
    }
    let outcome = try video(["in", "3d", "--stereo", "sbs-half", "--preview", "0.4s"], in: folder)
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    for name in ["a_LR.mp4", "b_LR.mkv"] {
      let times = try times(folder.path("3d/\(name)"))
      #expect(times.count == 4 && (Double(times[0]) ?? 1) < 0.1, "\(times)")
    }
    let again = try video(
      ["in", "3d", "--stereo", "sbs-half", "--preview", "0.4s", "--skip-existing", "--json"],
      in: folder)
    #expect(again.status == 0 && again.output.isEmpty)
    let part = try video(
      ["in/a.mp4", "3d", "--effect", "blur", "--start", "0.3", "--duration", "0.3", "--json"],
      in: folder)
    #expect(
      part.text == #"{"frames":3,"input":"in/a.mp4","output":"3d/a_blur.mp4"}"# + "\n",
      "\(part.text) \(part.errors)")
    // Results beside their films are not films to convert, whether or not the folder is named twice.
    for target in [[], ["in"], ["./in"]] {
      let beside = try video(
        ["in"] + target + ["--stereo", "sbs-half", "--preview", "0.2s", "--overwrite"], in: folder)
      #expect(beside.status == 0, "\(beside.errors)")
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder.path("in")).sorted()
          == ["a.mp4", "a_LR.mp4", "b.mkv", "b_LR.mkv"])
    }
  }

  /// One frame of a film is the picture of `depth stereo` for it, to the color conversion's half level.
  @Test(.enabled(if: ffmpegPath != nil, absence)) func framesAloneAreThoseOfPhotos() throws {
    let folder = try TemporaryFolder()
    try ffmpeg(
      "-f lavfi -i testsrc2=size=64x48:rate=24 -frames:v 3 -c:v ffv1 -pix_fmt gbrp -color_range pc in.mkv",
      in: folder)
    let outcome = try video(
      ["in.mkv", "out.mkv", "--stereo", "left", "--steady", "none", "--codec", "ffv1"], in: folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    try ffmpeg("-i in.mkv -vf select='eq(n,1)' -frames:v 1 in.png", in: folder)
    try ffmpeg("-i out.mkv -vf select='eq(n,1)' -frames:v 1 -pix_fmt rgb24 out.png", in: folder)
    let still = try depthTool.run(
      ["stereo", "in.png", "--format", "left", "--weights", "compact", "-o", "still.png"],
      in: folder.path)
    #expect(still.status == 0, "\(still.errors)")
    let (film, photo) = (
      try Image(contentsOf: URL(fileURLWithPath: folder.path("out.png"))),
      try Image(contentsOf: URL(fileURLWithPath: folder.path("still.png")))
    )
    // Twice to limited luma and chroma and back, by ffmpeg and here.
    let differences = zip(film.pixels, photo.pixels).map { abs(Int($0) - Int($1)) }
    let mean = Double(differences.reduce(0, +)) / Double(differences.count)
    #expect(mean < 1.5, "\(mean)")
  }

  let segments = [
    "in.mkv", "out.mkv", "--stereo", "anaglyph", "--segments", "--segment-length", "0.3s",
    "--depth-every", "2",
  ]

  /// A run that was killed goes on, and makes the film of a run that was not.
  @Test(
    .enabled(if: ffmpegPath != nil, absence),
    arguments: [0.5, 1.2] + SlowTests.only([0.8, 1.6, 2.0, 2.6]))
  func aKilledRunGoesOn(seconds: Double) throws {
    let folder = try TemporaryFolder()
    try ffmpeg(
      "-f lavfi -i testsrc2=size=64x48:rate=10 -f lavfi -i sine -t 2 -c:v libx264 -c:a aac in.mkv",
      in: folder)
    let whole = try video(segments, in: folder)
    #expect(whole.status == 0, "\(whole.errors)")
    let wanted = try sums(folder.path("out.mkv"), "-map 0 -f framemd5")
    #expect(wanted.split(separator: "\n").count > 20)
    try FileManager.default.removeItem(atPath: folder.path("out.mkv"))
    let run = try depthTool.start(
      ["video"] + segments + ["--weights", "compact", "--quiet"], in: folder.path)
    Thread.sleep(forTimeInterval: seconds)
    run.signal(SIGKILL)
    _ = try run.finish()
    try? FileManager.default.removeItem(atPath: folder.path("out.mkv"))
    let resumed = try video(segments, in: folder)
    #expect(resumed.status == 0, "\(resumed.errors)")
    #expect(try sums(folder.path("out.mkv"), "-map 0 -f framemd5") == wanted)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)
  }

  /// Ctrl-C leaves a film of what is done, and its sound.
  @Test(.enabled(if: ffmpegPath != nil, absence)) func ctrlCEndsTheFilm() throws {
    let folder = try TemporaryFolder()
    try ffmpeg(
      "-f lavfi -i testsrc2=size=64x48:rate=25 -f lavfi -i sine -t 60 -c:v libx264 -c:a aac in.mp4",
      in: folder)
    let run = try depthTool.start(
      ["video", "in.mp4", "out.mp4", "--depth", "--weights", "compact"], in: folder.path)
    // Until frames are under way.
    for _ in 0..<200 {
      Thread.sleep(forTimeInterval: 0.1)
      let part = folder.path(".out.mp4.depth")
      let names = (try? FileManager.default.contentsOfDirectory(atPath: part)) ?? []
      if names.contains(where: { $0.hasSuffix(".part") }) { break }
    }
    run.signal(SIGINT)
    let outcome = try run.finish()
    #expect(outcome.status == 130, "\(outcome.errors)")
    let streams = try streams(folder.path("out.mp4"))
    #expect(streams.count == 2)
    let lengths = streams.compactMap { ($0["duration"] as? String).flatMap { Double($0) } }
    #expect(lengths.count == 2 && abs(lengths[0] - lengths[1]) < 0.1, "\(lengths)")
    #expect((lengths.first ?? 60) < 60)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)
  }

  @Test func wrongUsage() throws {
    for (words, text) in [
      (["a.mp4", "b.mp4"], "nothing to make"),
      (["a.mp4", "b.mp4", "--depth", "--stereo", "sbs"], "more than one thing"),
      (["a.mp4", "b.mp4", "--stereo", "mpo"], "mpo"),
      (["a.mp4", "b.mp4", "--stereo", "sbs", "--renderer", "gather"], "is for photos"),
      (["a.mp4", "b.mp4", "--depth", "--focus", "nearest"], "--focus is for --effect"),
      (
        ["a.mp4", "b.mp4", "--depth", "--preview", "3", "--start", "1"],
        "--preview takes the middle"
      ),
      (["a.mp4", "b.mp4", "--depth", "--depth-every", "0"], "--depth-every is 0"),
      (["a.mp4", "b.mp4", "--depth", "--quality", "99"], "--quality is 99"),
      (["a.mp4", "b.txt", "--depth"], ".txt"),
      (["a.mp4", "a.mp4", "--depth"], "a.mp4: is an input, expected another name for the output"),
    ] {
      let outcome = try depthTool.run(["video"] + words)
      #expect(outcome.status != 0 && outcome.errors.contains(text), "\(words): \(outcome.errors)")
    }
  }

  @Test(
    arguments: [
      ("90", 90.0), ("90s", 90), ("1:30", 90), ("0:01:30.5", 90.5), ("", nil), ("a", nil),
      ("-1", nil),
      ("1:2:3:4", nil), ("1:30s", nil),
    ] as [(String, Double?)])
  func times(text: String, seconds: Double?) {
    #expect(FilmTime(argument: text)?.seconds == seconds)
  }

  @Test(arguments: [
    ("ffmpeg version 5.1.9-0+deb12u1 Copyright", false), ("ffmpeg version 4.4.2 Copyright", true),
    ("ffmpeg version n7.0 x", false), ("ffmpeg version 5.0 x", true),
    ("ffmpeg version N-1234-gabc", false),
    ("", false),
  ])
  func versions(text: String, isOld: Bool) { #expect(FFmpeg.isOld(text) == isOld) }

  /// The box goes into the description of the pictures, and all boxes around it grow.
  @Test func stereoBoxes() {
    func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
      let size = UInt32(content.count + 8)
      return (0..<4).map { UInt8(truncatingIfNeeded: size >> (24 - 8 * $0)) } + Array(type.utf8)
        + content
    }
    func track(_ handler: String, _ entry: [UInt8]) -> [UInt8] {
      let stsd = box("stsd", [0, 0, 0, 0, 0, 0, 0, 1] + entry)
      let hdlr = box("hdlr", [UInt8](repeating: 0, count: 8) + Array(handler.utf8))
      return box("trak", box("mdia", hdlr + box("minf", box("stbl", stsd))))
    }
    let avc1 = box("avc1", [UInt8](repeating: 7, count: 30))
    var moov = box(
      "moov", track("soun", box("mp4a", [1, 2])) + track("vide", avc1) + box("udta", []))
    let st3d = box("st3d", [0, 0, 0, 0, 2])
    let tagged = box("avc1", [UInt8](repeating: 7, count: 30) + st3d)
    let wanted = box(
      "moov", track("soun", box("mp4a", [1, 2])) + track("vide", tagged) + box("udta", []))
    #expect(StereoBox(mode: 2).tag(&moov))
    #expect(moov == wanted)
    var sound = box("moov", track("soun", box("mp4a", [1, 2])))
    #expect(!StereoBox(mode: 2).tag(&sound))
  }
}
