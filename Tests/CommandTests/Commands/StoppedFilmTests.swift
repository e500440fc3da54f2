import Foundation
import Testing
import _TestSupport

/// Films whose run is killed or ended by Ctrl-C.
@Suite struct StoppedFilmTests {
  @Test(
    "a continued film equals an uninterrupted film",
    .withFFmpeg, arguments: [0, 2] + SlowTests.only([1, 3, 5, 8]))
  func aKilledRunGoesOn(segments: Int) throws {
    let folder = try TemporaryFolder()
    try FilmTools.ffmpeg(
      "-f lavfi -i testsrc2=size=64x48:rate=10 -f lavfi -i sine -t 3 -c:v libx264 -c:a aac in.mkv",
      in: folder)
    let whole = try FilmTools.video(FilmTools.segments, in: folder)
    #expect(whole.status == 0, "\(whole.errors)")
    let wanted = try FilmTools.sums(folder.path("out.mkv"), "-map 0 -f framemd5")
    #expect(wanted.split(separator: "\n").count > 30)
    try FileManager.default.removeItem(atPath: folder.path("out.mkv"))
    let command = ["video"] + FilmTools.segments
    let run = try depthTool.start(command + ["--quiet"], in: folder.path)
    // After each segment, the record is written with the name of the state for the next frame.
    let memory = folder.path(".out.mkv.depth/memory-\(segments).plist")
    if segments == 0 { Thread.sleep(forTimeInterval: 0.5) }
    while segments > 0, run.isRunning, !FileManager.default.fileExists(atPath: memory) {
      Thread.sleep(forTimeInterval: 0.01)
    }
    run.signal(SIGKILL)
    let wasKilled = try run.finish().wasKilled
    try? FileManager.default.removeItem(atPath: folder.path("out.mkv"))
    let resumed = try depthTool.run(command, in: folder.path)
    #expect(resumed.status == 0, "\(resumed.errors)")
    #expect(try FilmTools.sums(folder.path("out.mkv"), "-map 0 -f framemd5") == wanted)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)
    // Each segment has three frames. Frames of existing segments are not made again.
    let made = try #require(resumed.errors.firstMatch(of: #/out\.mkv: (\d+) frames? in/#))
    let frames = try #require(Int(made.1))
    #expect(frames <= (wasKilled ? 30 - 3 * max(segments - 1, 0) : 30), "\(resumed.errors)")
  }

  @Test("Ctrl-C leaves a film of all finished frames", .withFFmpeg)
  func ctrlCEndsTheFilm() throws {
    let folder = try TemporaryFolder()
    try FilmTools.ffmpeg(
      "-f lavfi -i testsrc2=size=64x48:rate=25 -f lavfi -i sine -t 60 -c:v libx264 -c:a aac in.mp4",
      in: folder)
    let run = try depthTool.start(
      ["video", "in.mp4", "out.mp4", "--depth"], in: folder.path,
      wrapper: CommandLineTool.endedBySignals)
    // Waits for the first frames.
    for _ in 0..<200 {
      Thread.sleep(forTimeInterval: 0.1)
      let part = folder.path(".out.mp4.depth")
      let names = (try? FileManager.default.contentsOfDirectory(atPath: part)) ?? []
      if names.contains(where: { $0.hasSuffix(".part") }) { break }
    }
    run.signal(SIGINT)
    let outcome = try run.finish()
    #expect(outcome.status == 130, "\(outcome.errors)")
    let streams = try FilmTools.streams(folder.path("out.mp4"))
    #expect(streams.count == 2)
    let lengths = streams.compactMap { ($0["duration"] as? String).flatMap { Double($0) } }
    #expect(lengths.count == 2 && abs(lengths[0] - lengths[1]) < 0.1, "\(lengths)")
    #expect((lengths.first ?? 60) < 60)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)
  }

  @Test("SIGTERM and SIGHUP leave nothing of a film", .withFFmpeg, arguments: [SIGTERM, SIGHUP])
  func otherSignalsLeaveNothing(signal: Int32) throws {
    let folder = try TemporaryFolder()
    try FilmTools.ffmpeg(
      "-f lavfi -i testsrc2=size=64x48:rate=25 -t 60 -c:v libx264 in.mp4", in: folder)
    let run = try depthTool.start(
      ["video", "in.mp4", "out.mp4", "--depth", "--quiet"], in: folder.path,
      wrapper: CommandLineTool.endedBySignals)
    let part = folder.path(".out.mp4.depth")
    waitUntil {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: part)) ?? []
      return !run.isRunning || names.contains { $0.hasSuffix(".part") }
    }
    run.signal(signal)
    let outcome = try run.finish()
    #expect(
      outcome.wasKilled && outcome.status == signal && outcome.errors.isEmpty, "\(outcome.errors)")
    #expect(try folder.names == ["in.mp4"])
  }

  /// The container is tried before the first frame.
  @Test("a signal during the container's trial leaves no film", .withFFmpeg)
  func aSignalDuringTheTrialsLeavesNothing() async throws {
    let (outcome, names) = try await onOwnThread {
      let folder = try TemporaryFolder()
      try FilmTools.ffmpeg(
        "-f lavfi -i testsrc2=size=64x48:rate=25 -t 1 -c:v libx264 in.mp4", in: folder)
      let begun = folder.path("begun")
      let tools = try FilmTools.standIn(
        """
        case "$*" in *pipe:0*) for file; do :; done; : > "${file#file:}"; touch '\(begun)'; exec sleep 30 ;; esac
        exec "$real" "$@"
        """)
      let run = try depthTool.start(
        ["video", "in.mp4", "out.mp4", "--depth", "--quiet"],
        environment: ["PATH": tools.path + ":/usr/bin:/bin"], in: folder.path,
        wrapper: CommandLineTool.endedBySignals)
      waitUntil { !run.isRunning || FileManager.default.fileExists(atPath: begun) }
      let part = folder.path(".out.mp4.depth")
      #expect(try FileManager.default.contentsOfDirectory(atPath: part).count == 1)
      run.signal(SIGTERM)
      return (try run.finish(), try folder.names)
    }
    #expect(outcome.wasKilled && outcome.status == SIGTERM, "\(outcome.errors)")
    #expect(names == ["begun", "in.mp4"])
  }

  /// Without times from ffmpeg, frames follow each other at the film's rate.
  @Test("a killed film without frame times is continued", .withFFmpeg)
  func aKilledRunWithoutTimesGoesOn() throws {
    let folder = try TemporaryFolder()
    try FilmTools.ffmpeg(
      "-f lavfi -i testsrc2=size=64x48:rate=10 -t 1.2 -c:v libx264 in.mkv", in: folder)
    let tools = try FilmTools.standIn(
      #"case "$*" in *yuv4mpegpipe*) { "$real" "$@" 2>&1 1>&3 3>&- | "#
        + #"sed -u 's/ pts: *[0-9]*/ pts: NOPTS/' 1>&2; } 3>&1;; *) exec "$real" "$@";; esac"#)
    let path = ["PATH": tools.path + ":/usr/bin:/bin"]
    let command = ["video"] + FilmTools.segments + ["--depth-every", "60", "--quiet"]
    let whole = try depthTool.run(command, environment: path, in: folder.path)
    #expect(whole.status == 0, "\(whole.errors)")
    let wanted = try FilmTools.times(folder.path("out.mkv"))
    #expect(wanted.count == 12 && wanted.last == "1.100000", "\(wanted)")
    try FileManager.default.removeItem(atPath: folder.path("out.mkv"))
    let run = try depthTool.start(command, environment: path, in: folder.path)
    let memory = folder.path(".out.mkv.depth/memory-2.plist")
    while run.isRunning, !FileManager.default.fileExists(atPath: memory) {
      Thread.sleep(forTimeInterval: 0.01)
    }
    run.signal(SIGKILL)
    _ = try run.finish()
    try? FileManager.default.removeItem(atPath: folder.path("out.mkv"))
    let resumed = try depthTool.run(command, environment: path, in: folder.path)
    #expect(resumed.status == 0, "\(resumed.errors)")
    #expect(try FilmTools.times(folder.path("out.mkv")) == wanted)
  }

  @Test("Ctrl-C ends a film whose encoder hangs", .withFFmpeg)
  func ctrlCEndsAnEncoderThatHangs() async throws {
    let outcome = try await onOwnThread {
      let folder = try TemporaryFolder()
      try FilmTools.ffmpeg(
        "-f lavfi -i testsrc2=size=640x480:rate=25 -t 20 -c:v libx264 in.mp4", in: folder)
      try FileManager.default.createDirectory(
        atPath: folder.path("bin"), withIntermediateDirectories: false)
      let script = """
        #!/bin/sh
        case "$*" in *pipe:0*) touch '\(folder.path("begun"))'; exec sleep 1000 ;; esac
        PATH=${PATH#*:} exec ffmpeg "$@"
        """
      _ = try folder.write(Array(script.utf8), to: "bin/ffmpeg")
      try #require(chmod(folder.path("bin/ffmpeg"), 0o755) == 0)
      let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
      let run = try depthTool.start(
        ["video", "in.mp4", "out.mp4", "--stereo", "sbs", "--quiet"],
        environment: ["PATH": folder.path("bin") + ":" + path], in: folder.path,
        wrapper: CommandLineTool.endedBySignals)
      waitUntil { !run.isRunning || FileManager.default.fileExists(atPath: folder.path("begun")) }
      Thread.sleep(forTimeInterval: 1)
      run.signal(SIGINT)
      return (try run.finish(), try folder.names)
    }
    #expect(outcome.0.status == 130, "\(outcome.0.errors)")
    #expect(outcome.0.errors.contains("encoder"), "\(outcome.0.errors)")
    #expect(outcome.1 == ["begun", "bin", "in.mp4"])
  }
}
