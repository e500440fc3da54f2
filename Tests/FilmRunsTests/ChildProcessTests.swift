import AtomicFiles
import DepthErrors
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
}
