import DepthErrors
import Foundation
import SystemEssentials
import Testing
import _TestSupport

@testable import DepthBase

/// Endless files, and pipes without a writer.
@Suite struct InputFileTests {
  @Test("a file over the size limit is refused") func lengthIsLimited() throws {
    let folder = try TemporaryFolder()
    let url = URL(filePath: try folder.write([UInt8](repeating: 1, count: 100), to: "a"))
    #expect(try InputFile.bytes(of: url, maximumBytes: 100).count == 100)
    #expect(throws: DepthError.self) { try InputFile.bytes(of: url, maximumBytes: 99) }
    #expect(throws: DepthError.self) {
      try InputFile.bytes(of: URL(filePath: "/dev/zero"), maximumBytes: 1 << 20)
    }
  }

  @Test("the refusal of a special file names its kind") func onlyOrdinaryFilesAreAccepted() throws {
    let folder = try TemporaryFolder()
    let file = URL(filePath: try folder.write([1], to: "a"))
    try InputFile.requireOrdinaryFile(file)
    try #require(mkfifo(folder.path("pipe"), 0o600) == 0)
    try #require(symlink("pipe", folder.path("link")) == 0)
    for (path, found) in [
      (folder.path("pipe"), "is a named pipe, expected a file"),
      (folder.path("link"), "is a named pipe, expected a file"),
      (folder.path, "is a folder, expected a file"), ("/dev/zero", "is a device, expected a file"),
      (folder.path("none"), "no such file or folder"),
    ] {
      #expect(throws: DepthError.unreadable(file: path, reason: found)) {
        try InputFile.requireOrdinaryFile(URL(filePath: path))
      }
    }
  }

  /// Lengths around the first piece, in bytes.
  @Test(
    "a read includes bytes that are appended meanwhile",
    arguments: [0, 1, 4095, 4096, 4097, 70_000, 200_000])
  func everyByteIsRead(count: Int) throws {
    let folder = try TemporaryFolder()
    let content = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let url = URL(filePath: try folder.write(content, to: "a"))
    var start: [UInt8]?
    let bytes = try InputFile.bytes(of: url) { first, _ in
      start = first
      let more = try FileHandle(forWritingTo: url)
      try more.seekToEnd()
      try more.write(contentsOf: [7, 8, 9])
      try more.close()
    }
    #expect(bytes == content + [7, 8, 9])
    #expect(start == Array(content.prefix(4096)))
    #expect(InputFile.beginning(of: url, count: 10) == Array((content + [7, 8, 9]).prefix(10)))
  }

  @Test("pieces of a file have at most the given size", arguments: [1, 4, 7, 10, 100])
  func piecesAreTheWholeFile(size: Int) throws {
    let folder = try TemporaryFolder()
    let content = [UInt8](0..<10)
    let url = URL(filePath: try folder.write(content, to: "a"))
    var pieces: [[UInt8]] = []
    try InputFile.forEachPiece(of: url, size: size) { pieces.append($0) }
    #expect(pieces.flatMap(\.self) == content)
    #expect(pieces.allSatisfy { !$0.isEmpty && $0.count <= size })
  }

  @Test("only ordinary files give first bytes") func beginningsAreOfOrdinaryFilesOnly() throws {
    let folder = try TemporaryFolder()
    // A named pipe without a writer does not block.
    try #require(mkfifo(folder.path("pipe"), 0o600) == 0)
    for path in [folder.path("pipe"), folder.path, "/dev/zero", folder.path("none")] {
      #expect(InputFile.beginning(of: URL(filePath: path), count: 4) == nil, "\(path)")
    }
  }
}
