import DepthErrors
import Foundation
import SystemEssentials
import Testing
import _TestSupport

@testable import DepthBase

/// Removal and renaming of files under temporary names.
@Suite struct PartFileTests {
  @Test("only orphaned part files are removed") func orphansAreRemovedAndNothingElse() throws {
    let folder = try TemporaryFolder()
    let kept = [
      ".depth-.part", ".depth-UPPER CASE.part", ".depth-1.part.png", "depth-1.part", ".other.part",
    ]
    for name in kept + [".depth-1a2b.part"] { _ = try folder.write([1], to: name) }
    // Another writer is writing this part file.
    let locked = try folder.write([1], to: ".depth-zz9.part")
    let descriptor = open(locked, O_WRONLY)
    defer { close(descriptor) }
    try #require(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
    try #require(mkfifo(folder.path(".depth-5.part"), 0o600) == 0)
    try #require(symlink("/dev/null", folder.path(".depth-6.part")) == 0)

    try AtomicFile.write([2], to: folder.url("a.bin"))
    #expect(
      try folder.names
        == (kept + [".depth-zz9.part", ".depth-5.part", ".depth-6.part", "a.bin"]).sorted())
  }

  @Test("a part file is locked against other writers")
  func aFileUnderWayIsLockedForOthers() throws {
    let folder = try TemporaryFolder()
    let part = try PartFile(beside: folder.path("a.bin"))
    try part.write(.bytes([1, 2, 3]), permissions: nil)
    let other = open(part.path, O_WRONLY)
    defer { close(other) }
    #expect(flock(other, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    part.discard()
    #expect(try folder.names.isEmpty)
  }

  @Test("several files are written in one call") func severalFilesAreWrittenTogether() throws {
    let folder = try TemporaryFolder()
    _ = try folder.write([9], to: "b")
    try AtomicFile.write([(.bytes([1]), folder.url("a")), (.bytes([2]), folder.url("b"))])
    #expect(try folder.names == ["a", "b"])
    #expect(try TemporaryFolder.bytes(of: folder.path("b")) == [2])
  }

  @Test("no file appears if one of several files fails") func noFileAppearsIfOneFails() throws {
    let folder = try TemporaryFolder()
    _ = try folder.write([9], to: "a")
    for second in ["no/such/b", "."] {
      #expect(throws: DepthError.self) {
        try AtomicFile.write([
          (.bytes([1]), folder.url("a")), (.bytes([2]), folder.url(second)),
        ])
      }
      #expect(try TemporaryFolder.bytes(of: folder.path("a")) == [9])
      #expect(try folder.names == ["a"])
    }
  }

  @Test("if the second file cannot be renamed, the first is removed")
  func failedSecondFileRemovesTheFirst() throws {
    let folder = try TemporaryFolder()
    let error = #expect(throws: DepthError.self) {
      try AtomicFile.write(
        [(.bytes([1]), folder.url("a")), (.bytes([2]), folder.url("a"))], overwrite: false
      )
    }
    #expect(try #require(error).description.hasSuffix("exists already"))
    #expect(try folder.names.isEmpty)
  }

  @Test("a replaced file is restored if the next file cannot be renamed")
  func theOldVersionComesBackWhereASiblingFails() throws {
    let folder = try TemporaryFolder()
    _ = try folder.write([9, 8], to: "a")
    let second = folder.url("b")
    let content = FileContent.pieces { _ in
      try FileManager.default.createDirectory(at: second, withIntermediateDirectories: false)
    }
    let error = #expect(throws: DepthError.self) {
      try AtomicFile.write([(.bytes([1]), folder.url("a")), (content, second)])
    }
    #expect(error?.file == second.relativePath)
    #expect(try TemporaryFolder.bytes(of: folder.path("a")) == [9, 8])
    #expect(try folder.names == ["a", "b"])
  }
}
