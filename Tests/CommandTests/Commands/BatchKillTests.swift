import Foundation
import SystemEssentials
import Testing
import _TestSupport

/// After `kill -9` at any moment, the next run loses no photo and repeats no report.
/// `DEPTH_KILL_MOMENTS` is the number of kills. `Scripts/checks/check-long.sh` asks for 50.
@Suite(.serialized) struct BatchKillTests {
  private static let moments =
    ProcessInfo.processInfo.environment["DEPTH_KILL_MOMENTS"].flatMap(Int.init) ?? 3

  @Test("killed runs are continued without loss or repetition", arguments: ["png", "pfm"])
  func killedRunsAreContinued(format: String) throws {
    let folder = try BatchTests.tree()
    // Each kill follows one more file. The other photos are left for the last run.
    let copies = 2 * Self.moments
    for index in 0..<copies {
      try FileManager.default.copyItem(
        atPath: folder.path("p/one.jpg"), toPath: folder.path("p/a/copy\(index).jpg"))
    }
    let arguments =
      ["predict", "p", "--recursive", "--format", format, "--skip-existing"]
      + ["--manifest"]
    let whole = try BatchTests.run(
      arguments + ["whole.jsonl", "--output-dir", "whole", "--view", "whole-views/"], in: folder)
    #expect(whole.status == 0, "\(whole.errors)")
    let command = arguments + ["m.jsonl", "--output-dir", "out", "--view", "out-views/"]
    for moment in 0..<Self.moments {
      let run = try depthTool.start(command, in: folder.path)
      // Kills right after another file appears, or during work on the next file.
      let before = Self.count(in: folder)
      waitUntil { !run.isRunning || Self.count(in: folder) != before }
      usleep(UInt32(moment % 8 * 3000))
      run.signal(SIGKILL)
      _ = try run.finish()
    }
    // The manifest ends in an unfinished line.
    let handle = try FileHandle(forUpdating: URL(fileURLWithPath: folder.path("m.jsonl")))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data("{\"path\":\"p/on".utf8))
    try handle.close()
    let last = try depthTool.run(command, in: folder.path)
    #expect(last.status == 0, "\(last.errors)")
    for kind in ["", "-views"] {
      let names = try BatchTests.files(below: "whole\(kind)", of: folder)
      #expect(names.count == copies + 3)
      #expect(try BatchTests.files(below: "out\(kind)", of: folder) == names)
      for name in names {
        #expect(
          try TemporaryFolder.bytes(of: folder.path("out\(kind)/\(name)"))
            == TemporaryFolder.bytes(of: folder.path("whole\(kind)/\(name)")), "\(name)")
      }
    }
    let paths = try BatchTests.manifest("m.jsonl", in: folder).map { $0["path"] as? String ?? "" }
    #expect(paths.count == copies + 3 && Set(paths).count == copies + 3, "\(paths)")
  }

  /// Files and part files of the run.
  private static func count(in folder: TemporaryFolder) -> Int {
    (try? BatchTests.files(below: "out", of: folder).count) ?? 0
  }

  @Test("Ctrl-C finishes the current photo and ends with status 130")
  func controlCFinishesCurrentPhotos() throws {
    let folder = try BatchTests.tree()
    try #require(mkfifo(folder.path("p/pipe.jpg"), 0o600) == 0)
    let run = try depthTool.start(
      [
        "predict", "p/pipe.jpg", "p/one.jpg", "p/a/two.png", "p/a/b/three.JPEG", "--output-dir",
        "out",
      ]
        + ["--manifest", "m.jsonl", "--threads", "1"] + BatchTests.base, in: folder.path,
      wrapper: CommandLineTool.endedBySignals)
    defer { run.signal(SIGKILL) }
    // Opening succeeds as soon as the program reads the first photo.
    var pipe: Int32 = -1
    let isOpen = waitUntil {
      pipe = open(folder.path("p/pipe.jpg"), O_WRONLY | O_NONBLOCK | O_CLOEXEC)
      return pipe >= 0
    }
    try #require(isOpen)
    _ = fcntl(pipe, F_SETFL, 0)
    _ = signal(SIGPIPE, SIG_IGN)
    run.signal(SIGINT)
    usleep(50_000)
    let handle = FileHandle(fileDescriptor: pipe, closeOnDealloc: true)
    try handle.write(contentsOf: Data(TemporaryFolder.bytes(of: folder.path("p/one.jpg"))))
    try handle.close()
    let outcome = try run.finish()
    #expect(outcome.status == 130, "\(outcome.errors)")
    #expect(
      outcome.errorLines.last
        == "depth: interrupted, 1 of 4 photos are done; the same command with --skip-existing resumes"
    )
    #expect(
      try BatchTests.manifest("m.jsonl", in: folder).map { $0["path"] as? String } == ["p/pipe.jpg"]
    )
  }
}
