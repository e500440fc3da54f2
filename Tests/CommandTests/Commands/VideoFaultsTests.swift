import Foundation
import Testing
import _TestSupport

@testable import DepthCommands

/// Films with odd names, films that end early, and parts that no film has.
@Suite struct VideoFaultsTests {
  private static let source = "-f lavfi -i testsrc2=size=64x48:rate=10"

  /// To ffmpeg, `a:b` is a URL and `-a` an option.
  @Test(.withFFmpeg) func namesAreFilesAlways() throws {
    let folder = try TemporaryFolder()
    try FilmTools.ffmpeg("\(Self.source) -t 1 -c:v libx264 file:a:b.mkv", in: folder)
    for (output, segments) in [
      ("c:d.mkv", []), ("-c'\n.mp4", ["--segments", "--segment-length", "0.3s"]),
    ] {
      let outcome = try depthTool.run(
        ["video", "--depth", "--json", "--quiet", "--weights", "compact"] + segments
          + ["--", "a:b.mkv", output], in: folder.path)
      #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
      let name = output.replacing("\n", with: #"\n"#)
      #expect(
        outcome.text.hasPrefix(
          #"{"frames":10,"input":"a:b.mkv","output":"\#(name)","request":{"color_map":"gray","depth":true"#
        ))
      #expect(try FilmTools.streams("file:" + folder.path(output)).count == 1)
    }
    let missing = try FilmTools.video(["x:y.mp4", "z.mp4", "--depth"], in: folder)
    #expect(missing.errors == "depth: x:y.mp4: no such file or folder\n")
  }

  /// Half a file gives half a film, and says so.
  @Test(.withFFmpeg)
  func aFilmThatEndsEarlySaysSo() throws {
    let folder = try TemporaryFolder()
    try FilmTools.ffmpeg("\(Self.source) -t 4 -c:v mjpeg whole.mkv", in: folder)
    let bytes = try TemporaryFolder.bytes(of: folder.path("whole.mkv"))
    _ = try folder.write(Array(bytes.prefix(bytes.count / 2)), to: "half.mkv")
    let words = ["half.mkv", "out.mkv", "--depth", "--depth-every", "60", "--weights", "compact"]
    let outcome = try depthTool.run(["video"] + words + ["--json"], in: folder.path)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(
      outcome.errors.contains(/depth: half.mkv: ends after [12]\.\d s of 4\.0 s \(ffmpeg: .+\)/),
      "\(outcome.errors)")
    #expect(outcome.text.contains(#""notes":["ends after "#), "\(outcome.text)")
  }

  @Test(.withFFmpeg)
  func aPartAfterTheEndSaysSo() throws {
    let folder = try TemporaryFolder()
    try FilmTools.ffmpeg("\(Self.source) -t 1 -c:v libx264 in.mp4", in: folder)
    let outcome = try FilmTools.video(
      ["in.mp4", "out.mp4", "--depth", "--start", "0:07.5"], in: folder)
    #expect(outcome.status == 1)
    #expect(outcome.errors == "depth: in.mp4: has no frame from 7.5 s on\n")
  }

  /// Frames that have nothing at the distance in focus are part of a film, with and without a filter.
  @Test(
    .withFFmpeg, arguments: ["none", "gated"])
  func aFilmMayHaveNothingInFocus(steady: String) throws {
    let folder = try TemporaryFolder()
    try FilmTools.ffmpeg("\(Self.source) -t 0.2 -c:v ffv1 in.mkv", in: folder)
    let outcome = try FilmTools.video(
      ["in.mkv", "out.mkv", "--effect", "mask", "--focus", "100m", "--steady", steady], in: folder)
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
  }

  /// A part of a film is not short because the film is longer, and sound may be longer than pictures.
  @Test func onlyWhatIsMissingIsNoted() throws {
    func probe(_ format: Double, video: Double?, tag: String? = nil) throws -> FilmProbe {
      let length =
        video.map { #","duration":"\#($0)""# } ?? tag.map { #","tags":{"DURATION":"\#($0)"}"# }
        ?? ""
      let json = #"""
        {"streams":[{"index":0,"codecType":"video","width":64,"height":48\#(length)}],
        "format":{"duration":"\#(format)"}}
        """#
      return try JSONDecoder().decode(FilmProbe.self, from: Data(json.utf8))
    }
    let all = FilmExcerpt(start: nil, duration: nil)
    let matroska = try probe(10, video: nil)
    #expect(matroska.fault(nil, endingAt: 4, of: all) == nil)
    #expect(matroska.fault("e", endingAt: 4, of: all) == "ends after 4.0 s of 10.0 s (ffmpeg: e)")
    #expect(matroska.fault("e", endingAt: 9.5, of: all) == "ffmpeg: e")
    #expect(matroska.fault("e", endingAt: nil, of: all) == "ffmpeg: e")
    let tagged = try probe(10, video: nil, tag: "00:00:08.000000000")
    #expect(tagged.fault("e", endingAt: 8, of: all) == "ffmpeg: e")
    #expect(tagged.fault("e", endingAt: 4, of: all) == "ends after 4.0 s of 8.0 s (ffmpeg: e)")
    let mp4 = try probe(10, video: 8)
    #expect(mp4.fault("e", endingAt: 4, of: all) == "ends after 4.0 s of 8.0 s (ffmpeg: e)")
    #expect(mp4.fault("e", endingAt: 8, of: all) == "ffmpeg: e")
    // The last frame of a slide show.
    #expect(mp4.fault(nil, endingAt: 4, of: all) == nil)
    #expect(mp4.fault("e", endingAt: 3, of: FilmExcerpt(start: 5, duration: nil)) == "ffmpeg: e")
    #expect(mp4.fault("e", endingAt: 2, of: FilmExcerpt(start: 1, duration: 2)) == "ffmpeg: e")
    #expect(
      mp4.fault("e", endingAt: 1, of: FilmExcerpt(start: 5, duration: nil))
        == "ends after 1.0 s of 3.0 s (ffmpeg: e)")
  }
}
