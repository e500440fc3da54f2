import FilmFiles
import Foundation
import Testing
import _TestSupport

/// Films with unusual times: turned films, long last frames, parts of films without an index.
@Suite struct FilmTimeTests {
  private static let source = "-f lavfi -i testsrc2=size=64x48:rate=10"

  /// The length of a film's pictures in seconds. Matroska states the length in a tag.
  private func seconds(_ path: String) throws -> Double {
    let stream = try #require(try FilmTools.streams(path).first)
    if let text = stream["duration"] as? String { return try #require(Double(text)) }
    let tag = try #require((stream["tags"] as? [String: String])?["DURATION"])
    return try #require(Double(tag.suffix(12)))
  }

  /// ffmpeg's message about such an angle has no line end and joins the next line.
  @Test("a turned film keeps its times", .withFFmpeg, arguments: [10, 45, 80])
  func aTurnedFilmKeepsItsTimes(angle: Int) throws {
    let folder = try TemporaryFolder()
    try FilmTools.ffmpeg("\(Self.source) -t 0.5 -c:v libx264 up.mp4", in: folder)
    try FilmTools.ffmpeg("-i up.mp4 -c copy -metadata:s:v rotate=\(angle) in.mp4", in: folder)
    let outcome = try FilmTools.video(["in.mp4", "out.mp4", "--depth"], in: folder)
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    #expect(
      try FilmTools.times(folder.path("out.mp4")) == FilmTools.times(folder.path("up.mp4")))
  }

  /// Slide shows end with a long frame, other films with a short frame.
  @Test(
    "the last frame of a film keeps its duration", .withFFmpeg,
    arguments: [
      ("mp4", "mp4", "", []), ("mkv", "mp4", "-bf 0", []), ("mp4", "mkv", "-bf 0", []),
      ("mov", "mov", "", ["--segments", "--segment-length", "0.2s"]),
    ], [3.4, 0.43])
  func theLastFrameHasItsTime(
    _ film: (input: String, output: String, encoding: String, words: [String]), end seconds: Double
  ) throws {
    let (input, output, encoding, words) = film
    let folder = try TemporaryFolder()
    try FilmTools.ffmpeg(
      "\(Self.source) -t 0.5 -c:v libx264 \(encoding) short.mkv", in: folder)
    // The pictures end with the last frame.
    let end = Int((seconds * (input == "mkv" ? 1000 : 10_000)).rounded())
    try FilmTools.ffmpeg(
      "-i short.mkv -c copy -video_track_timescale 10000 -bsf:v "
        + "setts=pts=PTS:dts=DTS:duration=\(end)-PTS in.\(input)", in: folder)
    let (old, new) = (folder.path("in.\(input)"), folder.path("out.\(output)"))
    try #require(abs(self.seconds(old) - seconds) < 0.01)
    let outcome = try FilmTools.video(
      ["in.\(input)", "out.\(output)", "--depth"] + words, in: folder)
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    let made = try self.seconds(new)
    #expect(abs(made - seconds) < 0.01, "\(made)")
    #expect(try FilmTools.times(new) == FilmTools.times(old))
    guard seconds > 2 else { return }
    // A part of the film ends at the requested time.
    let part = try FilmTools.video(
      ["in.\(input)", "part.\(output)", "--depth", "--duration", "2"], in: folder)
    #expect(part.status == 0, "\(part.errors)")
    let short = try self.seconds(folder.path("part.\(output)"))
    #expect(abs(short - 2) < 0.01, "\(short)")
  }

  /// Slides of one second and a last slide of a tenth of a second, in files of several kinds.
  @Test(
    "the last slide of a film may be short", .withFFmpeg,
    arguments: ["mp4", "mov", "mkv", "untagged.mkv", "gif", "apng"], ["mp4", "mkv"])
  func theLastSlideMayBeShort(input: String, output: String) throws {
    let folder = try TemporaryFolder()
    try FilmTools.ffmpeg(
      "\(Self.source) -t 0.4 -c:v libx264 -bf 0 -bsf:v "
        + "setts=pts=N*10000:dts=N*10000:duration=if(eq(N\\,3)\\,1000\\,10000):time_base=1/10000 "
        + "-video_track_timescale 10000 first.mp4", in: folder)
    let words =
      switch input {
      case "gif": "-vsync passthrough -final_delay 10"
      case "apng": "-vsync passthrough -final_delay 1/10"
      default: "-c copy"
      }
    try FilmTools.ffmpeg("-i first.mp4 \(words) in.\(input)", in: folder)
    if input.hasPrefix("untagged") {
      var bytes = Data(try TemporaryFolder.bytes(of: folder.path("in.\(input)")))
      let tag = try #require(bytes.firstRange(of: Data("DURATION".utf8)))
      bytes.replaceSubrange(tag, with: Data("NOLENGTH".utf8))
      _ = try folder.write(Array(bytes), to: "in.\(input)")
    }
    let outcome = try FilmTools.video(
      ["in.\(input)", "out.\(output)", "--stereo", "left", "--depth-every", "9"], in: folder)
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    let made = try seconds(folder.path("out.\(output)"))
    #expect(abs(made - 3.1) < 0.01, "\(made)")
    let times = try FilmTools.times(folder.path("out.\(output)")).compactMap { Double($0) }
    #expect(times == [0, 1, 2, 3])
  }

  /// ffmpeg prints a film's metadata beside the times of its frames.
  @Test(
    "a comment in a film is not taken for a time",
    .withFFmpeg, arguments: ["x pts:12 pts_time:0.4", "n:   0 pts:     12 pts_time:0.4"])
  func aCommentIsNoTime(comment: String) throws {
    let folder = try TemporaryFolder()
    _ = try folder.write(
      Array(";FFMETADATA1\ncomment=\(comment)\ntitle=\(comment)\n".utf8), to: "m.txt")
    try FilmTools.ffmpeg(
      "\(Self.source) -i m.txt -map 0 -map_metadata 1 -t 0.5 -c:v libx264 in.mkv", in: folder)
    let outcome = try FilmTools.video(["in.mkv", "out.mkv", "--depth"], in: folder)
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    #expect(
      try FilmTools.times(folder.path("out.mkv")) == FilmTools.times(folder.path("in.mkv")))
  }

  /// Key frames are outside the requested part, or only at the beginning.
  @Test(
    "a part of a stream begins at the requested time", .withFFmpeg,
    arguments: [
      ("ts", "libx264 -g 9999"), ("ts", "libx264 -g 20"), ("ts", "mpeg4 -g 9999"),
      ("mpg", "mpeg2video -g 12"), ("h264", "libx264 -g 20 -an"),
    ])
  func partsOfStreamsBeginInTime(ending: String, codec: String) throws {
    let folder = try TemporaryFolder()
    try FilmTools.ffmpeg(
      "\(Self.source) -f lavfi -i sine -t 6 -c:v \(codec) -c:a mp2 in.\(ending)", in: folder)
    for part in [["--start", "3.5", "--duration", "0.4"], ["--preview", "0.4"]] {
      let outcome = try FilmTools.video(
        ["in.\(ending)", "out.mkv", "--effect", "haze", "--codec", "ffv1", "--overwrite"] + part,
        in: folder)
      #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
      let times = try FilmTools.times(folder.path("out.mkv"))
      #expect(times.count == 4 && (Double(times[0]) ?? 1) < 0.1, "\(part): \(times)")
    }
  }

  @Test("a preview is the middle of a film", .withFFmpeg)
  func aPreviewIsTheMiddle() throws {
    let folder = try TemporaryFolder()
    try FilmTools.ffmpeg("\(Self.source) -t 6 -c:v mpeg4 in.mp4", in: folder)
    func start(_ seconds: Double) throws -> Double? {
      let film = try InputFilm(
        folder.path("in.mp4"), excerpt: FilmExcerpt(), preview: seconds, encoder: "libx264",
        keepsChroma: false, tools: FFmpeg())
      #expect(film.excerpt.duration == seconds)
      return film.excerpt.start
    }
    #expect(abs(try #require(try start(0.4)) - 2.8) < 0.01)
    #expect(try start(9) == nil)
  }
}
