import DepthErrors
import Foundation
import PictureFiles
import SystemEssentials
import Testing
import _TestSupport

@testable import AtomicFiles
@testable import DepthImages

/// Files without an end, and files that nobody writes to.
@Suite(.offPool) struct InputFileTests {
  @Test(arguments: ["/dev/zero", "/dev/urandom"])
  func endlessFilesAreRefusedByTheirFirstBytes(path: String) {
    #expect(throws: DepthError.self) { try Image(contentsOf: URL(filePath: path)) }
    #expect(throws: DepthError.self) { try DepthMap(contentsOf: URL(filePath: path)) }
  }

  @Test func zerosAreNamed() {
    #expect(
      throws: DepthError.unsupportedFormat(
        file: "/dev/zero", expected: "a JPEG or PNG picture", found: "zeros")
    ) { try Image(contentsOf: URL(filePath: "/dev/zero")) }
  }

  @Test func lengthIsLimited() throws {
    let folder = try TemporaryFolder()
    let url = URL(filePath: try folder.write([UInt8](repeating: 1, count: 100), to: "a"))
    #expect(try InputFile.bytes(of: url, maximumBytes: 100).count == 100)
    #expect(throws: DepthError.self) { try InputFile.bytes(of: url, maximumBytes: 99) }
    #expect(throws: DepthError.self) {
      try InputFile.bytes(of: URL(filePath: "/dev/zero"), maximumBytes: 1 << 20)
    }
  }

  @Test func ordinaryFilesAndNoOthers() throws {
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
}
