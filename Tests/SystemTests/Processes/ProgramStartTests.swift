import Foundation
import Testing

@testable import DepthBase

/// Programs that this program starts.
@Suite struct ProgramStartTests {
  /// Everything that a program prints.
  private func text(of program: ProgramStart) throws -> String {
    let pipe = Pipe()
    var program = program
    program.output = .descriptor(pipe.fileHandleForWriting.fileDescriptor)
    let started = try program.start()
    try pipe.fileHandleForWriting.close()
    let bytes = try pipe.fileHandleForReading.readToEnd()
    var status: Int32 = -1
    #expect(waitpid(started, &status, 0) == started && status == 0)
    return String(decoding: bytes ?? Data(), as: UTF8.self)
  }

  #if os(Linux)
    /// `depth` ignores SIGPIPE and SIGXFSZ. A program that inherited this would go on writing to a closed pipe.
    @Test("a program inherits no ignored signals") func ignoredSignalsAreNotInherited() throws {
      for signal in [SIGPIPE, SIGXFSZ] { _ = Foundation.signal(signal, SIG_IGN) }
      let line = try text(of: ProgramStart(["grep", "^SigIgn", "/proc/self/status"]))
      let mask = try #require(line.split(whereSeparator: \.isWhitespace).last, "\(line)")
      let ignored = try #require(UInt64(mask, radix: 16), "\(line)")
      for signal in [SIGPIPE, SIGXFSZ] {
        #expect(ignored >> UInt64(signal - 1) & 1 == 0, "\(line)")
      }
    }
  #endif

  @Test("a started program gets the given variables and no input")
  func aProgramGetsVariablesAndNoInput() throws {
    var program = ProgramStart(["sh", "-c", "cat; echo \"$DEPTH_ZONE $HOME\""])
    program.environment = [("DEPTH_ZONE", "door"), ("HOME", "/nowhere")]
    #expect(try text(of: program) == "door /nowhere\n")
  }

  @Test("starting a missing program is an error") func aMissingProgramIsAnError() {
    let failure = #expect(throws: SystemFailure.self) {
      try ProgramStart(["/no/such/program"]).start()
    }
    #expect(failure?.code == ENOENT)
  }
}
