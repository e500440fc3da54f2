import AtomicFiles
import Foundation
import Testing
import _TestSupport

@testable import FrameRuns

/// Programs that this one starts.
@Suite(.offPool) struct ProgramStartTests {
  /// A pipe with a name: whoever reads it waits for a program that writes to it.
  private func pipe(in folder: TemporaryFolder) throws -> String {
    let path = folder.path("pipe")
    try #require(mkfifo(path, 0o600) == 0)
    return path
  }

  private func text(from pipe: String) throws -> String {
    let bytes = try FileHandle(forReadingFrom: URL(filePath: pipe)).readToEnd()
    return String(decoding: bytes ?? Data(), as: UTF8.self)
  }

  #if os(Linux)
    /// `depth` ignores some signals; a program that does not expect that would write on where nobody reads.
    @Test func theProgramOfAnEventGetsItsSignals() throws {
      let folder = try TemporaryFolder()
      let pipe = try pipe(in: folder)
      // Everything in this picture is nearer than 100 m.
      let outcome = try depthTool.run(
        [
          "watch", "--every-frame", "--near", "100m", "--zone", "all:0,0,1,0,1,1,0,1", "--exec",
          "sh -c 'grep ^SigIgn /proc/self/status > \(pipe)'", "--rate", "10", "--enter-time",
          "200ms", "--from", "rgb24", "--size", "64x48", "--weights", "compact",
        ], input: [UInt8](repeating: 99, count: 4 * 64 * 48 * 3))
      try #require(outcome.status == 0 && outcome.text.contains("enter"), "\(outcome.errors)")
      let line = try text(from: pipe)
      let mask = try #require(line.split(whereSeparator: \.isWhitespace).last, "\(line)")
      let ignored = try #require(UInt64(mask, radix: 16), "\(line)")
      for signal in [SIGPIPE, SIGXFSZ] {
        #expect(ignored >> UInt64(signal - 1) & 1 == 0, "\(line)")
      }
    }
  #endif

  @Test func aProgramGetsVariablesAndNoInput() throws {
    let folder = try TemporaryFolder()
    let pipe = try pipe(in: folder)
    var program = ProgramStart([
      "sh", "-c", "{ cat; echo \"$DEPTH_ZONE $HOME\"; } > '\(pipe)'",
    ])
    program.environment = [("DEPTH_ZONE", "door"), ("HOME", "/nowhere")]
    let started = try program.start()
    #expect(try text(from: pipe) == "door /nowhere\n")
    var status: Int32 = -1
    #expect(waitpid(started, &status, 0) == started && status == 0)
  }

  @Test func aMissingProgramIsAnError() {
    let failure = #expect(throws: SystemFailure.self) {
      try ProgramStart(["/no/such/program"]).start()
    }
    #expect(failure?.code == ENOENT)
  }
}
