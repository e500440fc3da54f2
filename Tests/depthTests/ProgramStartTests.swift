import AtomicFiles
import Foundation
import Testing
import _TestSupport

@testable import FrameRuns

/// Programs that this one starts.
@Suite(.offPool) struct ProgramStartTests {
  #if os(Linux)
    /// `depth` ignores some signals; a program that does not expect that would write on where nobody reads.
    @Test func theProgramOfAnEventGetsItsSignals() throws {
      // Everything in this picture is nearer than 100 m. What the program prints goes to standard error.
      let outcome = try depthTool.run(
        [
          "watch", "--every-frame", "--near", "100m", "--zone", "all:0,0,1,0,1,1,0,1", "--exec",
          "grep ^SigIgn /proc/self/status", "--rate", "10", "--enter-time", "200ms", "--from",
          "rgb24", "--size", "64x48", "--weights", "compact",
        ], input: [UInt8](repeating: 99, count: 4 * 64 * 48 * 3))
      try #require(outcome.status == 0 && outcome.text.contains("enter"), "\(outcome.errors)")
      let line = try #require(outcome.errorLines.first { $0.hasPrefix("SigIgn:") })
      let mask = try #require(line.split(whereSeparator: \.isWhitespace).last, "\(line)")
      let ignored = try #require(UInt64(mask, radix: 16), "\(line)")
      for signal in [SIGPIPE, SIGXFSZ] {
        #expect(ignored >> UInt64(signal - 1) & 1 == 0, "\(line)")
      }
    }
  #endif

  @Test func aProgramGetsVariablesAndNoInput() throws {
    let pipe = Pipe()
    var program = ProgramStart(["sh", "-c", "cat; echo \"$DEPTH_ZONE $HOME\""])
    program.environment = [("DEPTH_ZONE", "door"), ("HOME", "/nowhere")]
    program.output = .descriptor(pipe.fileHandleForWriting.fileDescriptor)
    let started = try program.start()
    try pipe.fileHandleForWriting.close()
    let bytes = try pipe.fileHandleForReading.readToEnd()
    #expect(String(decoding: bytes ?? Data(), as: UTF8.self) == "door /nowhere\n")
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
