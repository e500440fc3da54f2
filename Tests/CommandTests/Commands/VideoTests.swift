import DepthImages
import Foundation
import PictureFiles
import Testing
import _TestSupport

/// `depth video` on films that ffmpeg makes.
@Suite struct VideoTests {
  @Test("sound, subtitles, chapters, tags and times stay", .withFFmpeg, arguments: ["mp4", "mkv"])
  func everythingElseStays(container: String) throws {
    let folder = try TemporaryFolder()
    _ = try folder.write(Array("1\n00:00:00,100 --> 00:00:00,300\nHello\n".utf8), to: "s.srt")
    _ = try folder.write(
      Array(
        (";FFMETADATA1\ntitle=A film\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=200\ntitle=One\n"
          + "[CHAPTER]\nTIMEBASE=1/1000\nSTART=200\nEND=480\ntitle=Two\n").utf8), to: "m.txt")
    let text = container == "mp4" ? "mov_text" : "srt"
    try FilmTools.ffmpeg(
      "-f lavfi -i testsrc2=size=64x48:rate=25 -f lavfi -i sine -i s.srt -i m.txt -t 0.48 -map 0 -map 1 -map 2 "
        + "-map_metadata 3 -map_chapters 3 -metadata:s:a:0 language=deu -c:v libx264 -threads 1 -c:a aac "
        + "-color_primaries bt709 -color_trc bt709 -colorspace bt709 -color_range tv -c:s \(text) in.\(container)",
      in: folder)
    let outcome = try FilmTools.video(
      ["in.\(container)", "out.\(container)", "--stereo", "sbs"], in: folder)
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    let (old, new) = (folder.path("in.\(container)"), folder.path("out.\(container)"))
    let (before, after) = (try FilmTools.streams(old), try FilmTools.streams(new))
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
    #expect(try FilmTools.times(old) == FilmTools.times(new))
    #expect(
      try FilmTools.sums(old, "-map 0:a -c copy -f md5")
        == FilmTools.sums(new, "-map 0:a -c copy -f md5"))
    let chapters = try [old, new].map {
      (try FilmTools.probe($0)["chapters"] as? [[String: Any]])?.map {
        "\($0["start_time"] ?? "") \(($0["tags"] as? [String: String])?["title"] ?? "")"
      }
    }
    #expect(chapters[0] == chapters[1] && chapters[0]?.count == 2)
    let title = (try FilmTools.probe(new)["format"] as? [String: Any])?["tags"] as? [String: String]
    #expect(title?["title"] == "A film")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 4)
  }

  @Test(
    "unusual films keep their size, format, rate and times", .withFFmpeg,
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
    try FilmTools.ffmpeg(
      "-f lavfi -i testsrc2=size=64x48:rate=24 \(words) in.\(ending)", in: folder)
    let outcome = try FilmTools.video(
      ["in.\(ending)", "out.\(ending)", "--stereo", "tab-half"], in: folder)
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(name): \(outcome.errors)")
    let (old, new) = (folder.path("in.\(ending)"), folder.path("out.\(ending)"))
    let (before, after) = (try FilmTools.streams(old)[0], try FilmTools.streams(new)[0])
    // ffprobe computes another aspect from Matroska's size of one view.
    let aspect = ending == "mkv" ? [] : ["sample_aspect_ratio"]
    for key in ["width", "height", "pix_fmt", "color_range", "r_frame_rate"] + aspect {
      #expect("\(before[key] ?? "")" == "\(after[key] ?? "")", "\(name): \(key)")
    }
    // AVI has no times, and Motion JPEG has no B-frames.
    if ending != "avi" { #expect(try FilmTools.times(old) == FilmTools.times(new), "\(name)") }
  }

  /// Rotation tags are applied, odd sides are cut to whole chroma samples, and HDR is not kept.
  @Test("rotated, odd-sized and HDR films are converted", .withFFmpeg)
  func filmsThatAreConverted() throws {
    let folder = try TemporaryFolder()
    let source = "-f lavfi -i testsrc2=size=64x48:rate=24 -t 0.1"
    try FilmTools.ffmpeg("\(source) -c:v libx264 up.mp4", in: folder)
    try FilmTools.ffmpeg("-i up.mp4 -c copy -metadata:s:v rotate=90 turned.mp4", in: folder)
    try FilmTools.ffmpeg(
      "-f lavfi -i testsrc2=size=65x49:rate=24 -t 0.1 -c:v ffv1 -pix_fmt yuv420p odd.mkv",
      in: folder)
    for (input, output, size) in [
      ("turned.mp4", "a.mp4", [48, 64]), ("odd.mkv", "b.mkv", [64, 48]),
    ] {
      let outcome = try FilmTools.video([input, output, "--effect", "haze"], in: folder)
      #expect(outcome.status == 0, "\(outcome.errors)")
      let stream = try FilmTools.streams(folder.path(output))[0]
      #expect([stream["width"] as? Int, stream["height"] as? Int] == size, "\(input)")
      #expect(
        stream["side_data_list"] == nil && (stream["tags"] as? [String: String])?["rotate"] == nil)
    }
    try FilmTools.ffmpeg(
      "\(source) -c:v libx264 -color_trc smpte2084 -color_primaries bt2020 -colorspace bt2020nc hdr.mkv",
      in: folder)
    let outcome = try FilmTools.video(["hdr.mkv", "sdr.mkv", "--depth"], in: folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(
      try FilmTools.streams(folder.path("sdr.mkv"))[0]["color_transfer"] as? String == "bt709")
  }

  @Test("an unusual focal length is noted", .withFFmpeg, arguments: [("60", false), ("9", true)])
  func anUnusualFocalLengthIsNamed(fov: String, isNamed: Bool) throws {
    let folder = try TemporaryFolder()
    try FilmTools.ffmpeg(
      "-f lavfi -i testsrc2=size=64x48:rate=24 -t 0.2 -c:v libx264 in.mp4", in: folder)
    let outcome = try FilmTools.video(
      ["in.mp4", "out.mp4", "--depth", "--json", "--fov", fov, "--depth-every", "2"], in: folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let named = outcome.text.contains(#""notes":["its focal length of"#)
    #expect(named == isNamed && outcome.text.contains("by --fov") == isNamed, "\(outcome.text)")
  }

  @Test("a file that is no film is refused with the reason", .withFFmpeg)
  func otherFilesAreRefused() throws {
    let folder = try TemporaryFolder()
    try FilmTools.ffmpeg("-f lavfi -i sine -t 0.1 sound.m4a", in: folder)
    try FilmTools.ffmpeg(
      "-f lavfi -i testsrc2=size=64x48:rate=24 -t 0.2 -c:v libx264 whole.mp4", in: folder)
    _ = try folder.write(
      Array(TemporaryFolder.bytes(of: folder.path("whole.mp4")).prefix(700)), to: "cut.mp4")
    for (words, text) in [
      (["sound.m4a", "x.mp4"], "sound.m4a: has no video"),
      (["cut.mp4", "x.mp4"], "cut.mp4: is not a film that ffmpeg reads (moov atom not found)"),
      (["none.mp4", "x.mp4"], "none.mp4: no such file or folder"),
      (["whole.mp4", "cut.mp4"], "cut.mp4: exists already"),
      (["whole.mp4", "x.mp4", "--codec", "h264_none"], "the encoder is h264_none"),
      (["whole.mp4", "x.mp4", "--codec", "gif"], "ffmpeg"),
    ] {
      let outcome = try FilmTools.video(words + ["--depth"], in: folder)
      #expect(outcome.errors.contains(text), "\(outcome.errors)")
      if words.last != "gif" { #expect(outcome.status == 1 && outcome.errorLines.count == 1) }
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(!names.contains { $0.hasPrefix(".") }, "\(names)")
    let missing = try depthTool.run(
      ["video", "whole.mp4", "y.mp4", "--depth"], environment: ["PATH": "/nowhere"], in: folder.path
    )
    #expect(missing.status == 1)
    #expect(missing.errors.hasPrefix("depth: ffmpeg is not on the PATH: 'sudo apt install ffmpeg'"))
  }

  @Test("films of a folder are made and skipped by age", .withFFmpeg)
  func foldersAndParts() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.path("in"), withIntermediateDirectories: true)
    for name in ["a.mp4", "b.mkv"] {
      try FilmTools.ffmpeg(
        "-f lavfi -i testsrc2=size=64x48:rate=10 -f lavfi -i sine -t 1 -c:v libx264 -c:a aac in/\(name)",
        in: folder)
    }
    let outcome = try FilmTools.video(
      ["in", "3d", "--stereo", "sbs-half", "--preview", "0.4s"], in: folder)
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    for name in ["a_LR.mp4", "b_LR.mkv"] {
      let times = try FilmTools.times(folder.path("3d/\(name)"))
      #expect(times.count == 4 && (Double(times[0]) ?? 1) < 0.1, "\(times)")
    }
    let again = try FilmTools.video(
      ["in", "3d", "--stereo", "sbs-half", "--preview", "0.4s", "--skip-existing", "--json"],
      in: folder)
    #expect(again.status == 0 && again.output.isEmpty)
    // Only a changed film is made again. The package's weights have no age.
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: 2)], ofItemAtPath: folder.path("in/b.mkv"))
    let changed = try runDepth(
      ["video", "in", "3d", "--stereo", "sbs-half", "--preview", "0.3s"]
        + ["--skip-existing", "--json"], in: folder)
    #expect(
      changed.text.hasPrefix(#"{"frames":3,"input":"in/b.mkv","output":"3d/b_LR.mkv","request":{"#),
      "\(changed.text) \(changed.errors)")
    #expect(
      changed.errorLines.last
        == "depth: 1 of 2 films skipped; files are skipped by their modification times, options are not compared",
      "\(changed.errors)")
    let part = try FilmTools.video(
      ["in/a.mp4", "3d", "--effect", "blur", "--start", "0.3", "--duration", "0.3", "--json"],
      in: folder)
    #expect(
      part.text.hasPrefix(#"{"frames":3,"input":"in/a.mp4","output":"3d/a_blur.mp4","request":{"#),
      "\(part.text) \(part.errors)")
    // Results beside their films are no inputs, even if the folder is named twice.
    for target in [[], ["in"], ["./in"]] {
      let beside = try FilmTools.video(
        ["in"] + target + ["--stereo", "sbs-half", "--preview", "0.2s", "--overwrite"], in: folder)
      #expect(beside.status == 0, "\(beside.errors)")
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder.path("in")).sorted()
          == ["a.mp4", "a_LR.mp4", "b.mkv", "b_LR.mkv"])
    }
  }

  /// A frame without a filter equals the picture of `depth stereo`, except for color conversion.
  @Test("film frames without a filter equal pictures of photos", .withFFmpeg)
  func framesAloneAreThoseOfPhotos() throws {
    let folder = try TemporaryFolder()
    try FilmTools.ffmpeg(
      "-f lavfi -i testsrc2=size=64x48:rate=24 -frames:v 3 -c:v ffv1 -pix_fmt gbrp -color_range pc in.mkv",
      in: folder)
    let outcome = try FilmTools.video(
      ["in.mkv", "out.mkv", "--stereo", "left", "--steady", "none", "--codec", "ffv1"], in: folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    try FilmTools.ffmpeg("-i in.mkv -vf select='eq(n,1)' -frames:v 1 in.png", in: folder)
    try FilmTools.ffmpeg(
      "-i out.mkv -vf select='eq(n,1)' -frames:v 1 -pix_fmt rgb24 out.png", in: folder)
    let still = try runDepth(
      ["stereo", "in.png", "--format", "left", "-o", "still.png"],
      in: folder)
    #expect(still.status == 0, "\(still.errors)")
    let (film, photo) = (
      try Image(contentsOf: URL(fileURLWithPath: folder.path("out.png"))),
      try Image(contentsOf: URL(fileURLWithPath: folder.path("still.png")))
    )
    // Colors are converted to limited luma and chroma and back twice, by ffmpeg and here.
    let differences = zip(film.pixels, photo.pixels).map { abs(Int($0) - Int($1)) }
    let mean = Double(differences.reduce(0, +)) / Double(differences.count)
    #expect(mean < 1.5, "\(mean)")
  }

  @Test("wrong usage of video is refused with the reason") func wrongUsage() throws {
    for (words, text) in [
      (["a.mp4", "b.mp4"], "no kind of film is given"),
      (["a.mp4", "b.mp4", "--depth", "--stereo", "sbs"], "several kinds of film are given"),
      (["a.mp4", "b.mp4", "--stereo", "mpo"], "mpo"),
      (["a.mp4", "b.mp4", "--stereo", "sbs", "--renderer", "gather"], "requires photos"),
      (["a.mp4", "b.mp4", "--depth", "--focus", "nearest"], "--focus requires --effect"),
      (
        ["a.mp4", "b.mp4", "--depth", "--preview", "3", "--start", "1"],
        "--preview excludes --start"
      ),
      (["a.mp4", "b.mp4", "--depth", "--depth-every", "0"], "--depth-every is 0"),
      (["a.mp4", "b.mp4", "--depth", "--quality", "99"], "--quality is 99"),
      (["a.mp4", "b.txt", "--depth"], ".txt"),
      (["a.mp4", "a.mp4", "--depth"], "a.mp4: is an input, expected another name for the output"),
    ] {
      let outcome = try runDepth(["video"] + words)
      #expect(outcome.status != 0 && outcome.errors.contains(text), "\(words): \(outcome.errors)")
    }
  }
}
