import DepthBase
import DepthErrors
import Dispatch
import Foundation
import Synchronization
import Testing
import _TestSupport

@testable import FilmFiles

/// What ffmpeg says counts more than its status.
@Suite struct ChildProcessTests {
  private func failure(_ script: String) throws -> DepthError? {
    let child = try ChildProcess("sh", ["-c", script])
    return child.writeFailure(child.finish())
  }

  @Test("a full disk is a temporary failure, whatever ffmpeg's status")
  func aFullDiskIsTemporaryWhateverTheStatus() throws {
    for status in [0, 1] {
      let found = try #require(
        try failure(
          "echo '[mux @ 0x1] [error] Error writing trailer of f.mkv: No space left on device' >&2; exit \(status)"
        ))
      #expect(found.isTemporary && found.message == "no space left on the device")
    }
  }

  @Test("a film without its end is a failure") func anEndThatWasNotWrittenIsAFailure() throws {
    #expect(
      try failure("echo '[error] Error writing trailer of f.mkv: Invalid argument' >&2")?.message
        == "ffmpeg: Error writing trailer of f.mkv: Invalid argument")
    #expect(try failure("exit 3")?.message == "ffmpeg: ended with status 3")
    #expect(try failure("echo '[error] Non-monotonous DTS' >&2") == nil)
    #expect(try failure("true") == nil)
    // Progress ends with carriage returns.
    #expect(try failure(#"printf '12 %%\r[error] no\n' >&2; exit 1"#)?.message == "ffmpeg: 12 %")
    #expect(try failure(#"printf '[error] no\r12 %%\r' >&2; exit 1"#)?.message == "ffmpeg: no")
  }

  @Test("a program that is waited for can be ended") func whatIsWaitedForCanBeEnded() throws {
    let child = try ChildProcess("sleep", ["1000"])
    let waiting = DispatchQueue(label: "waiting")
    waiting.async { #expect(child.finish() == 128 + SIGKILL) }
    // Long enough for the other thread to wait; the order does not matter.
    usleep(50_000)
    child.end()
    waiting.sync {}
  }

  /// A program that has left another one behind, which keeps its standard error.
  @Test("a program that leaves another one behind has ended")
  func aProgramThatLeavesAnotherBehindHasEnded() async throws {
    let child = try ChildProcess("sh", ["-c", "sleep 1000 & echo $! >&2; exit 3"])
    #expect(try await onOwnThread { child.finish() } == 3)
    let left = try #require(child.messages.first.flatMap { pid_t($0) })
    kill(left, SIGKILL)
  }

  @Test("an input stays open while it is written") func anInputIsNotClosedUnderItsWriter() throws {
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
    // A pipe does not hold that much, so the writer waits.
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
    @Test("a program has its own process group, so Ctrl-C does not reach it")
    func aProgramHasAGroupOfItsOwn() throws {
      let script = "read -r pid name state parent group rest </proc/$$/stat; echo $pid $group >&2"
      let child = try ChildProcess("sh", ["-c", script])
      #expect(child.finish() == 0)
      let numbers = child.messages.first?.split(separator: " ")
      #expect(numbers?.count == 2 && numbers?.first == numbers?.last)
    }

    @Test("programs that start at the same moment get no pipes of each other")
    func programsGetNoPipesOfOthers() async throws {
      // In a process whose other threads start nothing.
      await #expect(processExitsWith: .success) {
        let alone = try ChildProcessTests.pipesOfPrograms(1)
        let seen = Mutex<Set<String>>([])
        let start: @Sendable () -> Void = {
          let pipes = try? ChildProcessTests.pipesOfPrograms(150)
          seen.withLock { $0.formUnion(pipes ?? ["failed"]) }
        }
        WorkerThreads.run(4, every: 1000, tick: {}, start)
        guard alone.count == 1, seen.withLock({ $0 }) == alone else { exit(EXIT_FAILURE) }
        // Nothing of a program that has ended stays open.
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

    /// What programs that are started one after another find open.
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
