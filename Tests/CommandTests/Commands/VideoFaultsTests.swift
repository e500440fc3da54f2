import Foundation
import Testing
import _TestSupport

@testable import DepthCommands
@testable import FilmFiles

/// Films with odd names, films that end early, and parts beyond a film.
@Suite struct VideoFaultsTests {
  private static let source = "-f lavfi -i testsrc2=size=64x48:rate=10"

  /// To ffmpeg, `a:b` is a URL and `-a` an option.
  @Test("names of films are always files", .withFFmpeg)
  func namesAreFilesAlways() async {
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

  @Test(
    "a long name of a film is kept",
    .withFFmpeg, arguments: [String(repeating: "a", count: 251), String(repeating: "視", count: 83)])
  func longNamesAreNames(stem: String) throws {
    let folder = try TemporaryFolder()
    try FilmTools.ffmpeg("\(Self.source) -t 0.3 -c:v libx264 in.mp4", in: folder)
    let outcome = try FilmTools.video(
      ["in.mp4", "\(stem).mp4", "--depth", "--depth-every", "9"], in: folder)
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    #expect(try folder.names.sorted() == ["in.mp4", "\(stem).mp4"].sorted())
  }

  @Test("after a full disk, further films are not tried", .withFFmpeg)
  func aFullDiskIsNotTriedAgain() async {
    await #expect(processExitsWith: .success) {
      let (films, folder) = (try TemporaryFolder(), try TemporaryFolder())
      for name in ["a.mp4", "b.mp4", "c.mp4"] {
        try FilmTools.ffmpeg("\(Self.source) -t 0.3 -c:v libx264 \(name)", in: films)
      }
      let tools = try FilmTools.standIn(
        #"case "$*" in *pipe:0*) echo x >> '\#(folder.path("tries"))'; cat > /dev/null; "#
          + #"echo 'av_interleaved_write_frame(): No space left on device' >&2; exit 1;; esac; exec "$real" "$@""#
      )
      let outcome = try FilmTools.video(
        [films.path, folder.path("new"), "--depth", "--json"], in: folder, tools: tools)
      // A later run may succeed.
      #expect(outcome.status == 75, "\(outcome.errors)")
      #expect(outcome.errorLines.count == 3 && outcome.lines.count == 3, "\(outcome.errors)")
      for (line, name) in zip(outcome.errorLines, ["a", "b", "c"]) {
        #expect(
          line.contains("\(name)_depth.mp4: ") && line.contains("no space left on the device"))
      }
      #expect(try TemporaryFolder.bytes(of: folder.path("tries")) == Array("x\n".utf8))
    }
  }

  @Test("a full disk is a fault of the output", .withFFmpeg)
  func aFullDiskIsAFaultOfTheOutput() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      try FilmTools.ffmpeg("\(Self.source) -t 0.3 -c:v libx264 in.mp4", in: folder)
      // The encoder's trial succeeds.
      let tools = try FilmTools.standIn(
        #"case "$*" in *pipe:0*/00000-*.part) cat > /dev/null; "#
          + #"echo 'av_interleaved_write_frame(): No space left on device' >&2; exit 1;; esac; exec "$real" "$@""#
      )
      let outcome = try FilmTools.video(["in.mp4", "out.mp4", "--depth"], in: folder, tools: tools)
      #expect(outcome.status == 75, "\(outcome.errors)")
      #expect(outcome.errors.hasPrefix("depth: out.mp4: "), "\(outcome.errors)")
      #expect(outcome.errors.contains("no space left on the device"), "\(outcome.errors)")
    }
  }

  @Test("a film replaces the target of a link", .withFFmpeg)
  func linksAreOutputs() throws {
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

  @Test("a planted link in place of the folder of parts is refused", .withFFmpeg)
  func aPlantedLinkIsRefused() throws {
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

  @Test("an early end of a film is noted", .withFFmpeg)
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

  @Test("a film whose clock jumps keeps all frames", .withFFmpeg, arguments: [40, -40])
  func aClockThatJumpsIsNamed(seconds: Int) throws {
    let folder = try TemporaryFolder()
    for (name, start) in [("a", 50), ("b", 50 + 2 + seconds)] {
      try FilmTools.ffmpeg(
        "\(Self.source) -f lavfi -i sine -t 2 -c:v libx264 -c:a aac -output_ts_offset \(start) \(name).ts",
        in: folder)
    }
    let parts = try ["a.ts", "b.ts"].map { try TemporaryFolder.bytes(of: folder.path($0)) }
    _ = try folder.write(parts[0] + parts[1], to: "in.ts")
    let outcome = try FilmTools.video(
      ["in.ts", "out.mkv", "--depth", "--depth-every", "60", "--json"], in: folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try FilmTools.times(folder.path("out.mkv")).count == 40)
    let notes = try FilmTools.notes(outcome)
    // Not all versions of ffmpeg report the jump.
    #expect(notes.isEmpty || notes == ["its clock jumps by \(seconds) s"], "\(notes)")
  }

  /// A film without a frame, and a film of a kind unknown to ffmpeg.
  @Test("films that cannot be decoded are named with the reason", .withFFmpeg)
  func picturesThatCannotBeDecodedAreNamed() throws {
    let folder = try TemporaryFolder()
    try FilmTools.ffmpeg("\(Self.source) -t 1 -c:v libx264 whole.mp4", in: folder)
    let whole = Data(try TemporaryFolder.bytes(of: folder.path("whole.mp4")))
    var bytes = whole
    let box = try #require(bytes.firstRange(of: Data("mdat".utf8)))
    let length = bytes[box.lowerBound - 4..<box.lowerBound].reduce(0) { $0 << 8 | Int($1) }
    let content = box.upperBound..<box.lowerBound - 4 + length
    bytes.replaceSubrange(content, with: Data(repeating: 0xA5, count: content.count))
    _ = try folder.write(Array(bytes), to: "noise.mp4")
    bytes = whole
    for (old, new) in [("avc1", "xyz1"), ("avcC", "xyzC")] {
      while let range = bytes.firstRange(of: Data(old.utf8)) {
        bytes.replaceSubrange(range, with: Data(new.utf8))
      }
    }
    _ = try folder.write(Array(bytes), to: "unknown.mp4")
    let noise = try FilmTools.video(["noise.mp4", "out.mp4", "--depth"], in: folder)
    #expect(noise.status == 1 && noise.errorLines.count == 1, "\(noise.errors)")
    #expect(
      noise.errors.hasPrefix("depth: noise.mp4: no frame of it can be decoded (ffmpeg: ")
        && !noise.errors.contains("filters"), "\(noise.errors)")
    let unknown = try FilmTools.video(["unknown.mp4", "out.mp4", "--depth"], in: folder)
    #expect(unknown.status == 1 && unknown.errorLines.count == 1)
    #expect(
      unknown.errors
        == "depth: unknown.mp4: holds a film of kind xyz1, expected one that this ffmpeg decodes\n",
      "\(unknown.errors)")
    #expect(try folder.names == ["noise.mp4", "unknown.mp4", "whole.mp4"])
  }

  @Test("a part after the end of the film is refused", .withFFmpeg)
  func aPartAfterTheEndSaysSo() throws {
    let folder = try TemporaryFolder()
    try FilmTools.ffmpeg("\(Self.source) -t 1 -c:v libx264 in.mp4", in: folder)
    let outcome = try FilmTools.video(
      ["in.mp4", "out.mp4", "--depth", "--start", "0:07.5"], in: folder)
    #expect(outcome.status == 1)
    #expect(outcome.errors == "depth: in.mp4: has no frame at 7.5 s or later\n")
  }

  @Test("a mask with nothing in focus stops no film", .withFFmpeg, arguments: ["none", "gated"])
  func aFilmMayHaveNothingInFocus(steady: String) throws {
    let folder = try TemporaryFolder()
    try FilmTools.ffmpeg("\(Self.source) -t 0.2 -c:v ffv1 in.mkv", in: folder)
    let outcome = try FilmTools.video(
      ["in.mkv", "out.mkv", "--effect", "mask", "--focus", "100m", "--steady", steady], in: folder)
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    try FilmTools.ffmpeg("-i out.mkv -pix_fmt gray -f rawvideo out.raw", in: folder)
    let masks = try TemporaryFolder.bytes(of: folder.path("out.raw"))
    #expect(masks.count == 2 * 64 * 48 && masks.allSatisfy { $0 < 8 })
  }

  /// A requested part counts as complete. Sound may be longer than pictures.
  @Test("only missing parts of a film are noted") func onlyMissingPartsAreNoted() throws {
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
    #expect(matroska.faults(nil, endingAt: 4, of: all) { .init() }.isEmpty)
    #expect(
      matroska.faults("e", endingAt: 4, of: all) { .init() } == [
        "ends after 4.0 s of 10.0 s (ffmpeg: e)"
      ])
    #expect(matroska.faults("e", endingAt: 9.5, of: all) { .init() } == ["ffmpeg: e"])
    #expect(matroska.faults("e", endingAt: nil, of: all) { .init() } == ["ffmpeg: e"])
    let tagged = try probe(10, video: nil, tag: "00:00:08.000000000")
    #expect(tagged.faults("e", endingAt: 8, of: all) { .init() } == ["ffmpeg: e"])
    #expect(
      tagged.faults("e", endingAt: 4, of: all) { .init() } == [
        "ends after 4.0 s of 8.0 s (ffmpeg: e)"
      ])
    let mp4 = try probe(10, video: 8)
    #expect(
      mp4.faults("e", endingAt: 4, of: all) { .init() } == ["ends after 4.0 s of 8.0 s (ffmpeg: e)"]
    )
    #expect(mp4.faults("e", endingAt: 8, of: all) { .init() } == ["ffmpeg: e"])
    // A slide show may end with a long frame.
    #expect(mp4.faults(nil, endingAt: 4, of: all) { .init() }.isEmpty)
    #expect(
      mp4.faults("e", endingAt: 3, of: FilmExcerpt(start: 5, duration: nil)) { .init() } == [
        "ffmpeg: e"
      ]
    )
    #expect(
      mp4.faults("e", endingAt: 2, of: FilmExcerpt(start: 1, duration: 2)) { .init() } == [
        "ffmpeg: e"
      ])
    #expect(
      mp4.faults("e", endingAt: 1, of: FilmExcerpt(start: 5, duration: nil)) { .init() }
        == ["ends after 1.0 s of 3.0 s (ffmpeg: e)"])
    // Times after a jump continue, so the film is shorter than stated.
    func jumping(_ fault: String, _ end: Double, of seconds: Double, _ jumps: Double...) -> [String]
    {
      mp4.faults(fault, endingAt: end, of: all) { .init(jumps: jumps, seconds: seconds) }
    }
    let step = "non monotonically increasing dts"
    #expect(jumping(step, 3, of: 2.9, 11) == ["its clock jumps by 11 s"])
    #expect(jumping(step, 20, of: 19.9, -12) == ["its clock jumps by -12 s"])
    #expect(jumping("e", 3, of: 2.9, 11) == ["its clock jumps by 11 s", "ffmpeg: e"])
    #expect(
      jumping("e", 1, of: 3.6, 12, 12.4) == [
        "its clock jumps by 12 s, 12 s", "ends after 1.0 s of 3.6 s (ffmpeg: e)",
      ])
  }
}
