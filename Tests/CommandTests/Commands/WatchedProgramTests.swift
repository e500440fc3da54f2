#if os(Linux)
  import Foundation
  import Testing
  import _TestSupport

  /// The program of `depth watch --exec`.
  @Suite struct WatchedProgramTests {
    /// It ends while the camera shows nothing new. It is gone then, not only at the next frame or ten minutes later.
    @Test func aProgramThatHasEndedIsGone() throws {
      let folder = try TemporaryFolder()
      let (path, note) = (folder.path("frames"), folder.path("process"))
      try #require(mkfifo(path, 0o600) == 0)
      let pipe = FileHandle(
        fileDescriptor: open(path, O_RDWR | O_CLOEXEC), closeOnDealloc: true)
      let run = try depthTool.start(
        ["watch", "--near", "100m", "--enter-time", "0s", "--weights", "compact"]
          + ["--source-timeout", "600s", "--exec", "sh -c 'echo $$ > \(note)'"],
        wrapper: ["sh", "-c", "exec \"$0\" \"$@\" < '\(path)'"])
      defer { run.signal(SIGKILL) }
      let frame = Data("P6 2 2 255\n".utf8) + Data(repeating: 9, count: 12)
      var process = ""
      for _ in 0..<6000 where run.isRunning && !process.hasSuffix("\n") {
        try pipe.write(contentsOf: frame)
        usleep(10_000)
        process = (try? String(contentsOfFile: note, encoding: .utf8)) ?? ""
      }
      let number = try #require(Int(process.dropLast()), "\(run.text)\(run.errors)")
      // No frame comes; up to a minute, which only an entry that stays takes.
      var isThere = true
      for _ in 0..<6000 where isThere {
        isThere = FileManager.default.fileExists(atPath: "/proc/\(number)")
        if isThere { usleep(10_000) }
      }
      #expect(!isThere)
      #expect(run.isRunning, "\(run.errors)")
    }
  }
#endif
