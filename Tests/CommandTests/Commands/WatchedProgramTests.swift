#if os(Linux)
  import Foundation
  import Testing
  import _TestSupport

  /// The program of `depth watch --exec`.
  @Suite struct WatchedProgramTests {
    /// The program ends between frames, and must be reaped without waiting for the next frame.
    @Test("an ended program of watch is reaped at once") func aProgramThatHasEndedIsGone() throws {
      let folder = try TemporaryFolder()
      let (path, note) = (folder.path("frames"), folder.path("process"))
      try #require(mkfifo(path, 0o600) == 0)
      let pipe = FileHandle(
        fileDescriptor: open(path, O_RDWR | O_CLOEXEC), closeOnDealloc: true)
      let run = try depthTool.start(
        ["watch", "--near", "100m", "--enter-time", "0s"]
          + ["--source-timeout", "600s", "--exec", "sh -c 'echo $$ > \(note)'"],
        wrapper: ["sh", "-c", "exec \"$0\" \"$@\" < '\(path)'"])
      defer { run.signal(SIGKILL) }
      let frame = Data("P6 2 2 255\n".utf8) + Data(repeating: 9, count: 12)
      var process = ""
      try waitUntil {
        try pipe.write(contentsOf: frame)
        usleep(10_000)
        process = (try? String(contentsOfFile: note, encoding: .utf8)) ?? ""
        return !run.isRunning || process.hasSuffix("\n")
      }
      let number = try #require(Int(process.dropLast()), "\(run.text)\(run.errors)")
      // No further frame comes.
      #expect(waitUntil { !FileManager.default.fileExists(atPath: "/proc/\(number)") })
      #expect(run.isRunning, "\(run.errors)")
    }
  }
#endif
