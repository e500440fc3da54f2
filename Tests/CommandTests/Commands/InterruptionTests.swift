import Foundation
import SystemEssentials
import Testing
import _TestSupport

/// After Ctrl-C and similar signals, finished files stay and unfinished files are removed.
@Suite(.serialized) struct InterruptionTests {
  /// A batch of photos that waits at the second photo, a named pipe without a writer.
  private struct Batch {
    let folder: TemporaryFolder
    let bytes: [UInt8]
    let run: CommandLineTool.Run
    /// The writing end of the second photo, which the program has opened for reading.
    let pipe: FileHandle

    init() throws {
      folder = try TemporaryFolder()
      bytes = try TemporaryFolder.bytes(of: livingRoom)
      _ = try folder.write(bytes, to: "a.jpg")
      _ = try folder.write(bytes, to: "c.jpg")
      try #require(mkfifo(folder.path("b.jpg"), 0o600) == 0)
      run = try depthTool.start(
        [
          "predict", folder.path("a.jpg"), folder.path("b.jpg"), folder.path("c.jpg"), "--refine",
          "none", "--threads", "1",
        ], wrapper: CommandLineTool.endedBySignals)
      // This non-blocking open succeeds as soon as there is a reader.
      var opened: Int32 = -1
      let path = folder.path("b.jpg")
      #expect(
        InterruptionTests.waitUntil {
          opened = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
          return opened >= 0
        })
      _ = fcntl(opened, F_SETFL, 0)
      pipe = FileHandle(fileDescriptor: opened, closeOnDealloc: true)
      // If the program has ended, writing fails instead of ending the tests.
      _ = signal(SIGPIPE, SIG_IGN)
    }

    /// Writes the second photo.
    func feedPipe() throws {
      try pipe.write(contentsOf: Data(bytes))
      try pipe.close()
    }

    /// Ends the program after a test.
    func end() {
      run.signal(SIGKILL)
      try? pipe.close()
    }

    var names: [String] {
      get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
    }
  }

  /// Polls for up to a minute.
  fileprivate static func waitUntil(_ condition: () -> Bool) -> Bool {
    for _ in 0..<60_000 {
      if condition() { return true }
      usleep(1000)
    }
    return false
  }

  @Test("Ctrl-C finishes the current photo and keeps finished files")
  func controlCFinishesTheCurrentPhoto() throws {
    let batch = try Batch()
    defer { batch.end() }
    batch.run.signal(SIGINT)
    usleep(50_000)
    #expect(batch.run.isRunning)
    try batch.feedPipe()
    let outcome = try batch.run.finish()
    #expect(outcome.status == 130 && !outcome.wasKilled)
    #expect(
      outcome.errorLines.last
        == "depth: interrupted, 2 of 3 photos are done; the same command with --skip-existing resumes"
    )
    #expect(
      try batch.names == ["a.jpg", "a_depth.png", "b.jpg", "b_depth.png", "c.jpg"])
  }

  @Test(
    "Ctrl-C before the first frame is an interruption",
    arguments: [
      ["stream"], ["watch", "--near", "1m"], ["stereo", "--stream"],
      ["effect", "haze", "--stream"],
    ])
  func controlCBeforeTheFirstFrame(words: [String]) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("frames")
    try #require(mkfifo(path, 0o600) == 0)
    // The pipe is open for reading and writing, so the program finds no end.
    let pipe = open(path, O_RDWR | O_CLOEXEC)
    try #require(pipe >= 0)
    defer { close(pipe) }
    let run = try depthTool.start(
      words,
      wrapper: CommandLineTool.endedBySignals + ["sh", "-c", "exec \"$0\" \"$@\" < '\(path)'"])
    // After the first byte of a header, the program waits for the next byte.
    try #require(write(pipe, "Y", 1) == 1)
    #expect(
      Self.waitUntil {
        var unread: Int32 = 0
        return ioctl(pipe, UInt(FIONREAD), &unread) == 0 && unread == 0
      })
    run.signal(SIGINT)
    let outcome = try run.finish()
    #expect(outcome.status == 130 && !outcome.wasKilled, "\(outcome.errors)")
    #expect(!outcome.errors.contains("empty"), "\(outcome.errors)")
  }

  @Test("a second Ctrl-C ends the program at once") func aSecondControlCEndsAtOnce() throws {
    let batch = try Batch()
    defer { batch.end() }
    // Two signals count as one before the program sees the first signal.
    #expect(
      Self.waitUntil {
        batch.run.signal(SIGINT)
        usleep(20_000)
        return !batch.run.isRunning
      })
    let outcome = try batch.run.finish()
    #expect(outcome.status == SIGINT && outcome.wasKilled)
    #expect(try batch.names == ["a.jpg", "a_depth.png", "b.jpg", "c.jpg"])
  }

  @Test("SIGTERM and SIGHUP end a batch at once", arguments: [SIGTERM, SIGHUP])
  func otherSignalsEndAtOnce(signal: Int32) throws {
    let batch = try Batch()
    defer { batch.end() }
    batch.run.signal(signal)
    let outcome = try batch.run.finish()
    #expect(outcome.status == signal && outcome.wasKilled)
  }

  private static func partFiles(in folder: TemporaryFolder) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
      .filter { $0.hasPrefix(".depth-") }
  }

  /// Starts writing a map of 108 MB, and sends a signal when the map's part file is there.
  ///
  /// - Returns: `nil` when the file was finished before the signal came.
  private func signalled(_ signal: Int32, in folder: TemporaryFolder) throws
    -> CommandLineTool.Outcome?
  {
    for _ in 0..<10 {
      let run = try depthTool.start(
        [
          "predict", livingRoom, "--refine", "none", "--resolution", "6000x4500", "-o",
          folder.path("map.pfm"), "--overwrite",
        ], wrapper: CommandLineTool.endedBySignals)
      defer { run.signal(SIGKILL) }
      while run.isRunning, Self.partFiles(in: folder).isEmpty { usleep(200) }
      run.signal(signal)
      let outcome = try run.finish()
      if outcome.wasKilled { return outcome }
    }
    return nil
  }

  @Test("a signal removes the part file", arguments: [SIGINT, SIGTERM, SIGHUP])
  func signalsRemoveThePartFile(signal: Int32) throws {
    let folder = try TemporaryFolder()
    let outcome = try #require(try signalled(signal, in: folder))
    #expect(outcome.status == signal)
    #expect(Self.partFiles(in: folder).isEmpty)
  }

  @Test("the next run removes a killed run's part files")
  func theNextRunRemovesWhatAKilledOneLeft() throws {
    let folder = try TemporaryFolder()
    _ = try #require(try signalled(SIGKILL, in: folder))
    #expect(Self.partFiles(in: folder).count == 1)
    // A living writer's file, locked like the program's files.
    let living = try folder.write([1], to: ".depth-living.part")
    let descriptor = open(living, O_WRONLY | O_CLOEXEC)
    defer { close(descriptor) }
    try #require(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
    let next = try depthTool.run(["predict", livingRoom, "-o", folder.path("other.png")])
    #expect(next.status == 0, "\(next.errors)")
    #expect(Self.partFiles(in: folder) == [".depth-living.part"])
  }
}
