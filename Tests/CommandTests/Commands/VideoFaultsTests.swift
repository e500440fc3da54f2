import Foundation
import Testing
import _TestSupport

@testable import DepthCommands
@testable import FilmFiles

/// Films with odd names, films that end early, and parts that no film has.
@Suite struct VideoFaultsTests {
  private static let source = "-f lavfi -i testsrc2=size=64x48:rate=10"

  /// To ffmpeg, `a:b` is a URL and `-a` an option.
  @Test(.withFFmpeg) func namesAreFilesAlways() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      #expect(FileManager.default.changeCurrentDirectoryPath(folder.path))
      try FilmTools.ffmpeg("\(Self.source) -t 1 -c:v libx264 file:a:b.mkv", in: folder)
      for (output, segments) in [
        ("c:d.mkv", []), ("-c'\n.mp4", ["--segments", "--segment-length", "0.3s"]),
      ] {
        let outcome = try runDepth(
          ["video", "--depth", "--json", "--quiet"] + segments
            + ["--", "a:b.mkv", output])
        #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        let name = output.replacing("\n", with: #"\n"#)
        #expect(
          outcome.text.hasPrefix(
            #"{"frames":10,"input":"a:b.mkv","output":"\#(name)","request":{"color_map":"gray","depth":true"#
          ))
        #expect(try FilmTools.streams("file:" + folder.path(output)).count == 1)
      }
      let missing = try runDepth(["video", "x:y.mp4", "z.mp4", "--depth"])
      #expect(missing.errors == "depth: x:y.mp4: no such file or folder\n")
    }
  }

  /// Links are outputs as of other commands: followed where they lead to a film, and not replaced where they lead nowhere.
  @Test(.withFFmpeg) func linksAreOutputs() throws {
    let folder = try TemporaryFolder()
    try FilmTools.ffmpeg("\(Self.source) -t 0.3 -c:v libx264 in.mp4", in: folder)
    func link(_ name: String, to target: String) throws {
      try FileManager.default.createSymbolicLink(
        atPath: folder.path(name), withDestinationPath: folder.path(target))
    }
    try FileManager.default.createDirectory(
      atPath: folder.path("films"), withIntermediateDirectories: false)
    try link("dangling.mp4", to: "nothing.mp4")
    let refused = try FilmTools.video(["in.mp4", "dangling.mp4", "--depth"], in: folder)
    #expect(refused.status == 1)
    #expect(refused.errors.contains("dangling.mp4: exists already"), "\(refused.errors)")
    _ = try folder.write([1], to: "films/old.mp4")
    try link("link.mp4", to: "films/old.mp4")
    let made = try FilmTools.video(["in.mp4", "link.mp4", "--depth", "--overwrite"], in: folder)
    #expect(made.status == 0, "\(made.errors)")
    #expect(try FilmTools.streams(folder.path("films/old.mp4")).count == 1)
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("link.mp4"))
        == folder.path("films/old.mp4"))
    #expect(try folder.names == ["dangling.mp4", "films", "in.mp4", "link.mp4"])
  }

  /// A link that somebody has planted in place of the folder of parts empties no folder.
  @Test(.withFFmpeg) func aPlantedLinkIsRefused() throws {
    let folder = try TemporaryFolder()
    try FilmTools.ffmpeg("\(Self.source) -t 0.3 -c:v libx264 in.mp4", in: folder)
    try FileManager.default.createDirectory(
      atPath: folder.path("victim"), withIntermediateDirectories: false)
    _ = try folder.write([1], to: "victim/00000.video")
    _ = try folder.write([1], to: "victim/letter")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path(".p.mp4.depth"), withDestinationPath: folder.path("victim"))
    let outcome = try FilmTools.video(["in.mp4", "p.mp4", "--depth"], in: folder)
    #expect(outcome.status == 1 && outcome.errorLines.count == 1)
    #expect(outcome.errors.contains("p.mp4: "), "\(outcome.errors)")
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path("victim"))
    #expect(left.sorted() == ["00000.video", "letter"])
  }

  /// Half a file gives half a film, and says so.
  @Test(.withFFmpeg)
  func aFilmThatEndsEarlySaysSo() throws {
    let folder = try TemporaryFolder()
    try FilmTools.ffmpeg("\(Self.source) -t 4 -c:v mjpeg whole.mkv", in: folder)
    let bytes = try TemporaryFolder.bytes(of: folder.path("whole.mkv"))
    _ = try folder.write(Array(bytes.prefix(bytes.count / 2)), to: "half.mkv")
    let words = ["half.mkv", "out.mkv", "--depth", "--depth-every", "60"]
    let outcome = try runDepth(["video"] + words + ["--json"], in: folder)
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
