import DepthBase
import DepthErrors
import Dispatch
import Foundation
import Synchronization
import Testing
import _TestSupport

@testable import FilmFiles

/// ffmpeg's messages take precedence over its exit status.
@Suite struct ChildProcessTests {
  private func failure(_ script: String) throws -> DepthError? {
    let child = try ChildProcess("sh", ["-c", script])
    return child.writeFailure(child.finish())
  }

  @Test("a full disk is a temporary failure at any exit status")
  func aFullDiskIsTemporaryWhateverTheStatus() throws {
    for status in [0, 1] {
      let found = try #require(
        try failure(
          "echo '[mux @ 0x1] [error] Error writing trailer of f.mkv: No space left on device' >&2; exit \(status)"
        ))
      #expect(found.isTemporary && found.message == "no space left on the device")
    }
  }

  @Test("an unwritten end of a film is a failure") func anEndThatWasNotWrittenIsAFailure() throws {
    #expect(
      try failure("echo '[error] Error writing trailer of f.mkv: Invalid argument' >&2")?.message
        == "ffmpeg: Error writing trailer of f.mkv: Invalid argument")
    #expect(try failure("exit 3")?.message == "ffmpeg: ended with status 3")
    #expect(try failure("echo '[error] Non-monotonous DTS' >&2") == nil)
    #expect(try failure("true") == nil)
    // A line of progress ends with a carriage return.
    #expect(try failure(#"printf '12 %%\r[error] no\n' >&2; exit 1"#)?.message == "ffmpeg: 12 %")
    #expect(try failure(#"printf '[error] no\r12 %%\r' >&2; exit 1"#)?.message == "ffmpeg: no")
  }

  @Test("a program can be ended during a wait") func waitedForProgramsCanBeEnded() throws {
    let child = try ChildProcess("sleep", ["1000"])
    let waiting = DispatchQueue(label: "waiting")
    waiting.async { #expect(child.finish() == 128 + SIGKILL) }
    // The other thread usually waits by then. Either order passes.
    usleep(50_000)
    child.end()
    waiting.sync {}
  }

  /// The child of an ended program keeps the program's standard error open.
  @Test("a program has ended even if its child still runs")
  func aProgramWithARunningChildHasEnded() async throws {
    let child = try ChildProcess("sh", ["-c", "sleep 1000 & echo $! >&2; exit 3"])
    #expect(try await onOwnThread { child.finish() } == 3)
    let left = try #require(child.messages.first.flatMap { pid_t($0) })
    kill(left, SIGKILL)
  }

  @Test("an input pipe stays open during a write") func anInputIsNotClosedUnderItsWriter() throws {
    let folder = try TemporaryFolder()
    let (started, go) = (folder.path("started"), folder.path("go"))
    let script = """
      dd bs=1 count=1 of='\(started)' 2>/dev/null
      while [ ! -e '\(go)' ]; do sleep 0.01; done
      wc -c > '\(folder.path("count"))'
      """
    let child = try ChildProcess("sh", ["-c", script], input: .pipe)
    let writing = DispatchQueue(label: "writing")
    writing.async { #expect(child.write([UInt8](repeating: 7, count: 1 << 20))) }
    // The pipe is too small for these bytes, so the writer waits.
    try #require(
      waitUntil { (try? TemporaryFolder.bytes(of: started).count) == 1 },
      "the child never read a byte")
    let closing = DispatchQueue(label: "closing")
    closing.async { child.closeInput() }
    usleep(50_000)
    _ = try folder.write([], to: "go")
    writing.sync {}
    closing.sync {}
    #expect(child.finish() == 0)
    let count = String(
      decoding: try TemporaryFolder.bytes(of: folder.path("count")), as: UTF8.self)
    #expect(count.contains("\((1 << 20) - 1)"), "\(count)")
  }

  #if os(Linux)
    @Test("a started program has its own process group") func aProgramHasAGroupOfItsOwn() throws {
      let script = "read -r pid name state parent group rest </proc/$$/stat; echo $pid $group >&2"
      let child = try ChildProcess("sh", ["-c", script])
      #expect(child.finish() == 0)
      let numbers = child.messages.first?.split(separator: " ")
      #expect(numbers?.count == 2 && numbers?.first == numbers?.last)
    }

    @Test("programs that start simultaneously do not inherit each other's pipes")
    func programsGetNoPipesOfOthers() async throws {
      // Other threads of this process start no programs.
      await #expect(processExitsWith: .success) {
        let alone = try ChildProcessTests.pipesOfPrograms(1)
        let seen = Mutex<Set<String>>([])
        let start: @Sendable () -> Void = {
          let pipes = try? ChildProcessTests.pipesOfPrograms(150)
          seen.withLock { $0.formUnion(pipes ?? ["failed"]) }
        }
        WorkerThreads.run(4, every: 1000, tick: {}, start)
        guard alone.count == 1, seen.withLock({ $0 }) == alone else { exit(EXIT_FAILURE) }
        // No pipe of an ended program stays open.
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        for input in [ChildProcess.Stream.nothing, .pipe] {
          for output in [ChildProcess.Stream.nothing, .pipe] {
            _ = try ChildProcess("true", [], input: input, output: output).finish()
          }
        }
        let left = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        guard left == open else { exit(EXIT_FAILURE) }
      }
    }

    /// The open pipes of `count` programs that are started in turn.
    fileprivate static func pipesOfPrograms(_ count: Int) throws -> Set<String> {
      var seen: Set<String> = []
      for _ in 0..<count {
        let child = try ChildProcess(
          "find", ["/proc/self/fd", "-lname", "pipe:*"], output: .pipe)
        seen.insert(String(decoding: child.readAll(), as: UTF8.self))
        _ = child.finish()
      }
      return seen
    }
  #endif
}
