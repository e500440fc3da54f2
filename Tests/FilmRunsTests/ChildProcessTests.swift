import AtomicFiles
import DepthErrors
import Foundation
import Testing
import _TestSupport

@testable import FilmRuns

/// What ffmpeg says counts more than its status.
@Suite(.offPool) struct ChildProcessTests {
  private func failure(_ script: String) throws -> DepthError? {
    let child = try ChildProcess("sh", ["-c", script])
    return child.writeFailure(child.finish())
  }

  @Test func aFullDiskIsTemporaryWhateverTheStatus() throws {
    for status in [0, 1] {
      let found = try #require(
        try failure(
          "echo '[mux @ 0x1] [error] Error writing trailer of f.mkv: No space left on device' >&2; exit \(status)"
        ))
      #expect(found.isTemporary && found.message == "no space left on the device")
    }
  }

  @Test func anEndThatWasNotWrittenIsAFailure() throws {
    #expect(
      try failure("echo '[error] Error writing trailer of f.mkv: Invalid argument' >&2")?.message
        == "ffmpeg: Error writing trailer of f.mkv: Invalid argument")
    #expect(try failure("exit 3")?.message == "ffmpeg: ended with status 3")
    #expect(try failure("echo '[error] Non-monotonous DTS' >&2") == nil)
    #expect(try failure("true") == nil)
  }

  /// One thread waits for the end of a program that another one ends.
  @Test func whatIsWaitedForCanBeEnded() async throws {
    let child = try ChildProcess("sleep", ["1000"])
    async let status = offPool { child.finish() }
    // Long enough for the other thread to wait; the order does not matter.
    usleep(50_000)
    try await offPool { child.end() }
    #expect(try await status == 128 + SIGKILL)
  }

  /// A program that has left another one behind, which keeps its standard error.
  @Test func aProgramThatLeavesAnotherBehindHasEnded() throws {
    let child = try ChildProcess("sh", ["-c", "sleep 1000 & echo $! > /dev/null; exit 3"])
    #expect(child.finish() == 3)
  }

  /// The end of the input comes after what is being written, not into the middle of it.
  @Test func anInputIsNotClosedUnderItsWriter() async throws {
    let folder = try TemporaryFolder()
    let go = folder.path("go")
    let script = "while [ ! -e '\(go)' ]; do sleep 0.01; done; wc -c > '\(folder.path("count"))'"
    let child = try ChildProcess("sh", ["-c", script], input: .pipe)
    async let isWritten = offPool { child.write([UInt8](repeating: 7, count: 1 << 20)) }
    usleep(50_000)
    async let isClosed: Void = offPool { child.closeInput() }
    usleep(50_000)
    _ = try folder.write([], to: "go")
    #expect(try await isWritten)
    try await isClosed
    #expect(child.finish() == 0)
    let count = String(
      decoding: try TemporaryFolder.bytes(of: folder.path("count")), as: UTF8.self)
    #expect(count.contains("\(1 << 20)"), "\(count)")
  }

  #if os(Linux)
    /// Programs that threads start at the same moment get no pipes of each other.
    @Test func descriptorsStayAtHome() async throws {
      let seen = try await withThrowingTaskGroup(of: Set<String>.self) { group in
        for _ in 0..<4 {
          group.addTask { try await offPool { try Self.pipesOfPrograms(150) } }
        }
        return try await group.reduce(into: Set<String>()) { $0.formUnion($1) }
      }
      // Its standard output and error.
      #expect(seen == ["/proc/self/fd/1\n/proc/self/fd/2\n"])
    }

    /// What programs that are started one after another find open.
    private static func pipesOfPrograms(_ count: Int) throws -> Set<String> {
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
