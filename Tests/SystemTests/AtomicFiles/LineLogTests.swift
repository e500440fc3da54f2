import DepthBase
import DepthErrors
import Foundation
import Testing
import _TestSupport

/// Logs whose lines are appended whole or not at all.
@Suite struct LineLogTests {
  private func text(_ path: String) throws -> String {
    String(decoding: try TemporaryFolder.bytes(of: path), as: UTF8.self)
  }

  @Test("a log keeps the lines of earlier runs") func linesAreAppendedAcrossRuns() throws {
    let folder = try TemporaryFolder()
    let url = URL(filePath: folder.path("log"))
    for line in ["one", "two"] { try LineLog(appendingTo: url).append(line) }
    #expect(try text(folder.path("log")) == "one\ntwo\n")
    var lines: [String] = []
    try LineLog.forEachLine(of: url) { lines.append(String(decoding: $0, as: UTF8.self)) }
    #expect(lines == ["one", "two"])
  }

  @Test(
    "an unfinished last line is removed",
    arguments: [("a\nb\nhalf", "a\nb\n"), ("half", ""), ("a\n", "a\n"), ("", "")])
  func anUnfinishedLineIsRemoved(before: String, after: String) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Array(before.utf8), to: "log")
    try LineLog(appendingTo: URL(filePath: path)).append("new")
    #expect(try text(path) == after + "new\n")
  }

  @Test("an unfinished line of 10 kB is removed") func aLongUnfinishedLineIsRemoved() throws {
    let folder = try TemporaryFolder()
    let long = String(repeating: "x", count: 10_000)
    let path = try folder.write(Array("a\n\(long)".utf8), to: "log")
    _ = try LineLog(appendingTo: URL(filePath: path))
    #expect(try text(path) == "a\n")
  }

  @Test("lines of several writers do not mix") func manyWritersDoNotMixTheirLines() async throws {
    let folder = try TemporaryFolder()
    let url = URL(filePath: folder.path("log"))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<4 {
        group.addTask {
          let log = try LineLog(appendingTo: url)
          for index in 0..<50 { try log.append("\(writer) \(index)") }
        }
      }
      try await group.waitForAll()
    }
    let lines = try text(folder.path("log")).split(separator: "\n")
    #expect(lines.count == 200 && Set(lines).count == 200)
  }

  @Test("a full disk or quota is a temporary failure") func aFullDiskIsTemporary() throws {
    guard FileManager.default.fileExists(atPath: "/dev/full") else {
      try Test.cancel("this machine has no /dev/full")
    }
    let log = try LineLog(appendingTo: URL(filePath: "/dev/full"))
    let error = #expect(throws: DepthError.self) { try log.append("line") }
    #expect(error?.code == .unwritable && error?.isTemporary == true)
    let missing = #expect(throws: DepthError.self) {
      _ = try LineLog(appendingTo: URL(filePath: "/no/such/log"))
    }
    #expect(missing?.isTemporary == false)
    // A full quota is temporary, too.
    #expect(SystemFailure(EDQUOT).isTemporary && !SystemFailure(EACCES).isTemporary)
  }

  /// A limit on the size of files simulates a full disk.
  @Test("a line too long for the disk is removed") func aLineThatDoesNotFitIsTakenBack() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let log = try LineLog(appendingTo: folder.url("log"))
      try log.append("whole")
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 10, rlim_max: 10)
      precondition(setrlimit(__rlimit_resource_t(UInt32(RLIMIT_FSIZE.rawValue)), &limit) == 0)
      let error = #expect(throws: DepthError.self) { try log.append("too long") }
      precondition(error?.code == .unwritable, "\(error as Any)")
      try log.append("fit")
      let text = String(decoding: try TemporaryFolder.bytes(of: folder.path("log")), as: UTF8.self)
      precondition(text == "whole\nfit\n", text)
    }
  }
}
