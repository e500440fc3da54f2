import DepthBase
import DepthErrors
import Foundation
import HDF5Files
import Testing
import _TestSupport

@testable import WeightsFiles

/// Weights files that change while they are read. Values of two files are never mixed.
@Suite struct ChangedFileTests {
  private func written(_ value: Float, to path: String, hasBlock: Bool = true) throws {
    let writer = try HDF5Writer(path: path, hasBlock: hasBlock)
    try writer.set("format_version", .integers([hasBlock ? 2 : 1]))
    for layer in ["a", "b"] {
      try writer.write(
        [Float](repeating: value, count: 5000), shape: [5000], to: "\(layer)/kernel")
    }
  }

  /// Writes bytes into a file until the file's modification time changes.
  private func overwrite(_ path: String, with bytes: [UInt8]) throws {
    func times() -> [Int] {
      var status = stat()
      stat(path, &status)
      return [status.st_ctim.tv_sec, status.st_ctim.tv_nsec]
    }
    let before = times()
    repeat {
      let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
      try file.write(contentsOf: bytes)
      try file.close()
    } while times() == before
  }

  private func expectChanged(_ path: String, _ body: () throws -> Void) throws {
    let error = try #require(throws: DepthError.self, performing: body)
    #expect(error.code == .unreadable && error.file == path, "\(error)")
    #expect(error.message == "was changed while it was read, expected a file that does not change")
    #expect(error.isTemporary)
  }

  @Test("a weights file that changes while open is an error", arguments: [true, false])
  func valuesOfTwoFilesAreNotMixed(hasBlock: Bool) throws {
    let folder = try TemporaryFolder()
    let (path, other) = (folder.path("w.h5"), folder.path("other.h5"))
    try written(1, to: path, hasBlock: hasBlock)
    try written(2, to: other, hasBlock: hasBlock)
    let bytes = try TemporaryFolder.bytes(of: other)
    #expect(try TemporaryFolder.bytes(of: path).count == bytes.count)
    let archive = try HDF5WeightArchive(path: path)
    #expect(try archive.elements(of: "a/kernel").allSatisfy { $0 == 1 })
    try overwrite(path, with: bytes)
    try expectChanged(path) { _ = try archive.elements(of: "b/kernel") }
    try expectChanged(path) { _ = try archive.digestOfAllBytes() }
    // A new archive has the values of the other file.
    #expect(
      try HDF5WeightArchive(path: path).elements(of: "b/kernel").allSatisfy { $0 == 2 })
  }

  @Test("a file renamed over open weights changes no value")
  func aRenamedFileChangesNothing() throws {
    let folder = try TemporaryFolder()
    let (path, other) = (folder.path("w.h5"), folder.path("other.h5"))
    try written(1, to: path, hasBlock: false)
    try written(2, to: other, hasBlock: false)
    var digest = SHA256()
    digest.update(try TemporaryFolder.bytes(of: path))
    let archive = try HDF5WeightArchive(path: path)
    #expect(rename(other, path) == 0)
    // Renaming replaces the directory entry, not the content of the open file.
    #expect(try archive.elements(of: "b/kernel").allSatisfy { $0 == 1 })
    #expect(try archive.digestOfAllBytes() == digest.hexadecimal)
  }
}
