import DepthErrors
import Foundation
import Synchronization
import SystemEssentials
import Testing
import _TestSupport

@testable import DepthBase

/// Files written in pieces appear whole or not at all.
@Suite struct FilePiecesTests {
  private struct Stop: Error, Equatable {}

  /// Pieces of 1, 2, 3 … bytes, and an error behind the last piece if `fails`.
  private static func content(pieces count: Int, fails: Bool = false) -> FileContent {
    .pieces { write in
      for n in 1...count {
        let piece = [UInt8](repeating: UInt8(n), count: n)
        try write(piece.span)
      }
      if fails { throw Stop() }
    }
  }

  private static func bytes(pieces count: Int) -> [UInt8] {
    (1...count).flatMap { [UInt8](repeating: UInt8($0), count: $0) }
  }

  private func names(in folder: TemporaryFolder) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  @Test("pieces are joined in order into one file") func piecesAreJoinedInOrder() throws {
    let folder = try TemporaryFolder()
    let url = URL(filePath: folder.path("a"))
    try AtomicFile.write([(Self.content(pieces: 90), url)])
    #expect(try TemporaryFolder.bytes(of: folder.path("a")) == Self.bytes(pieces: 90))
    try AtomicFile.write([(.pieces { _ in }, url)])
    #expect(try TemporaryFolder.bytes(of: folder.path("a")).isEmpty)
    #expect(try names(in: folder) == ["a"])
  }

  @Test("an error between pieces changes no file") func anErrorBetweenPiecesLeavesNothing() throws {
    let folder = try TemporaryFolder()
    _ = try folder.write([9], to: "old")
    let failing = Self.content(pieces: 9, fails: true)
    for name in ["old", "new"] {
      let url = URL(filePath: folder.path(name))
      #expect(throws: Stop()) { try AtomicFile.write([(failing, url)]) }
      let other = URL(filePath: folder.path("first"))
      #expect(throws: Stop()) { try AtomicFile.write([(.bytes([1]), other), (failing, url)]) }
      #expect(throws: Stop()) { try AtomicFile.write([(failing, url), (.bytes([1]), other)]) }
    }
    #expect(try TemporaryFolder.bytes(of: folder.path("old")) == [9])
    #expect(try names(in: folder) == ["old"])
  }

  /// A limit on the size of files simulates a full disk.
  @Test("no piece is made after a failed write") func aWriteThatBreaksOffStopsMakingPieces() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let url = URL(filePath: try folder.write([9], to: "a"))
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 5000, rlim_max: 5000)
      precondition(setrlimit(__rlimit_resource_t(UInt32(RLIMIT_FSIZE.rawValue)), &limit) == 0)
      let made = Mutex(0)
      let content = FileContent.pieces { write in
        for _ in 0..<10 {
          made.withLock { $0 += 1 }
          let piece = [UInt8](repeating: 1, count: 2000)
          try write(piece.span)
        }
      }
      let error = #expect(throws: DepthError.self) { try AtomicFile.write([(content, url)]) }
      precondition(error?.description.hasSuffix("a: file too large") == true, "\(error as Any)")
      let count = made.withLock { $0 }
      precondition(count == 3, "\(count) pieces")
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      let old = try TemporaryFolder.bytes(of: folder.path("a"))
      precondition(old == [9] && names == ["a"], "\(old.count) bytes left, files \(names)")
    }
  }

  @Test(
    "a full device reports no space left",
    .enabled(if: access("/dev/full", W_OK) == 0, "needs /dev/full"))
  func fullDevice() {
    #expect(
      throws: DepthError.unwritable(file: "/dev/full", reason: "no space left on the device")
    ) {
      try AtomicFile.write([(Self.content(pieces: 3), URL(filePath: "/dev/full"))])
    }
  }

  @Test("pieces go through a named pipe") func piecesGoThroughANamedPipe() throws {
    let folder = try TemporaryFolder()
    let pipe = folder.path("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    // Opening a pipe waits for the other end, so the writer has its own thread.
    Thread { try? AtomicFile.write([(Self.content(pieces: 90), URL(filePath: pipe))]) }.start()
    #expect(try InputFile.bytes(of: URL(filePath: pipe)) == Self.bytes(pieces: 90))
  }
}
