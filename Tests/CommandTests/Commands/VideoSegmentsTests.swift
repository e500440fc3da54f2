import Foundation
import Testing
import _TestSupport

@testable import DepthCommands

/// The files of a stopped `depth video --segments`, and the runs that may continue them.
@Suite struct VideoSegmentsTests {
  private let record = ".out.mkv.depth/film.json"

  private func text(_ folder: TemporaryFolder) -> String {
    (try? String(contentsOfFile: folder.path(record), encoding: .utf8)) ?? ""
  }

  /// Runs until two segments of this version exist, then presses Ctrl-C.
  private func stopped(_ words: [String], in folder: TemporaryFolder) throws
    -> CommandLineTool.Outcome
  {
    let run = try depthTool.start(
      ["video"] + words + ["--quiet"], in: folder.path,
      wrapper: CommandLineTool.endedBySignals)
    while run.isRunning, !text(folder).contains(Version.text) || !text(folder).contains("00001.") {
      Thread.sleep(forTimeInterval: 0.1)
    }
    run.signal(SIGINT)
    return try run.finish()
  }

  /// Runs the program of ``stopped(_:in:)``, since the tests are another build.
  private func resumed(_ words: [String], in folder: TemporaryFolder) throws
    -> CommandLineTool.Outcome
  {
    try depthTool.run(["video"] + words + ["--quiet"], in: folder.path)
  }

  /// The record names whole segments of 0.3 s at 25 frames per second.
  /// The folder has only the segments, the state after the last segment, and the record.
  private func expectWholeSegments(_ folder: TemporaryFolder) throws {
    let found = try JSONDecoder().decode(FilmFolder.Record.self, from: Data(text(folder).utf8))
    #expect(found.segments.count >= 2)
    for (number, segment) in found.segments.enumerated() {
      // The frames in this segment. Frame times are multiples of 40 ms.
      let frames = (0..<3000).count { $0 * 40 / 300 == number }
      #expect(segment.frames == frames, "segment \(number)")
    }
    let memory = "memory-\(found.segments.count).plist"
    #expect(found.memory == memory)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path(".out.mkv.depth"))
    #expect(Set(names) == Set(found.segments.map(\.file) + [memory, "film.json"]))
  }

  /// Ctrl-C comes after the second segment's first picture.
  @Test("an incomplete segment is not kept", .withFFmpeg)
  func aSegmentThatIsCutShortDoesNotCount() throws {
    let folder = try TemporaryFolder()
    try FilmTools.ffmpeg(
      "-f lavfi -i testsrc2=size=64x48:rate=25 -t 0.8 -c:v libx264 in.mkv", in: folder)
    let tools = try FilmTools.standIn(
      """
      case "$*" in *pipe:0*/00001-*.part) kill -INT $PPID ;; esac
      exec "$real" "$@"
      """)
    let stop = try depthTool.run(
      ["video"] + FilmTools.segments + ["--quiet"],
      environment: ["PATH": tools.path + ":/usr/bin:/bin"], in: folder.path,
      wrapper: CommandLineTool.endedBySignals)
    #expect(stop.status == 130, "\(stop.errors)")
    let found = try JSONDecoder().decode(FilmFolder.Record.self, from: Data(text(folder).utf8))
    #expect(found.segments.map(\.frames) == [8] && found.frames == 8)
  }

  @Test("segments stay until overwritten", .withFFmpeg)
  func segmentsStayUntilTheyAreOverwritten() throws {
    let folder = try TemporaryFolder()
    try FilmTools.ffmpeg(
      "-f lavfi -i testsrc2=size=64x48:rate=25 -t 120 -c:v libx264 in.mkv", in: folder)
    let stop = try stopped(FilmTools.segments, in: folder)
    #expect(stop.status == 130)
    #expect(stop.errors.hasSuffix(" done; the same command resumes\n"), "\(stop.errors)")
    let made = text(folder)
    #expect(made.contains("\"\(Version.text)\""), "\(made)")
    try expectWholeSegments(folder)

    let plain = try FilmTools.video(["in.mkv", "out.mkv", "--stereo", "anaglyph"], in: folder)
    #expect(plain.status == 1 && plain.errorLines.count == 1)
    #expect(
      plain.errors.contains(
        "out.mkv: has finished segments of a stopped run; --segments and that run's other options resume "
          + "it, --overwrite starts again"), "\(plain.errors)")
    #expect(text(folder) == made)

    // libx264 was used before, but naming an encoder changes the chroma of RGB films.
    for words in [["--quality", "30"], ["--codec", "libx264"], ["--duration", "90"]] {
      let changed = try resumed(FilmTools.segments + words, in: folder)
      #expect(changed.status == 1 && changed.errorLines.count == 1)
      #expect(changed.errors.contains("with other options"), "\(words): \(changed.errors)")
      #expect(text(folder) == made)
    }
    let refusal =
      "depth: out.mkv: was started by another version, with other options or another film; --overwrite starts again\n"
    let otherBuild = try FilmTools.video(FilmTools.segments, in: folder)
    #expect(otherBuild.status == 1 && otherBuild.errors == refusal, "\(otherBuild.errors)")
    #expect(text(folder) == made)

    // Another film of the same length has another date.
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -10_000)], ofItemAtPath: folder.path("in.mkv"))
    let edited = try resumed(FilmTools.segments, in: folder)
    #expect(edited.status == 1 && edited.errors == refusal, "\(edited.errors)")
    #expect(text(folder) == made)

    let older = made.replacing(Version.text, with: "swift-depth 0.0.1")
    try older.write(toFile: folder.path(record), atomically: true, encoding: .utf8)
    let other = try resumed(FilmTools.segments, in: folder)
    #expect(other.status == 1 && other.errors == refusal, "\(other.errors)")
    #expect(text(folder) == older)

    // Another film of that name is an error. --overwrite starts again.
    _ = try folder.write([1], to: "out.mkv")
    let restart = try stopped(FilmTools.segments + ["--overwrite"], in: folder)
    #expect(restart.status == 130)
    #expect(
      restart.errors.hasSuffix(
        " done; the same command without --overwrite resumes once out.mkv is removed\n"),
      "\(restart.errors)")
    #expect(try TemporaryFolder.bytes(of: folder.path("out.mkv")) == [1])
  }
}
