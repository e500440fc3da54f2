import Foundation
import Testing
import _TestSupport

/// Runs over lists of photos.
@Suite struct ListedPhotosTests {
  /// What is not there leaves no folder behind; the others are done, and the failure can be tried again.
  @Test func missingPhotosLeaveNoFolders() async {
    await #expect(processExitsWith: .success) {
      let folder = try BatchTests.tree()
      #expect(FileManager.default.changeCurrentDirectoryPath(folder.path))
      _ = try folder.write(Array("p/one.jpg\np/gone/x.jpg\n".utf8), to: "list")
      let outcome = try runDepth(
        ["predict", "--files-from", "list", "--output-dir", "out", "--manifest", "log"]
          + BatchTests.base)
      #expect(outcome.status == 1, "\(outcome.errors)")
      #expect(outcome.errors.contains("p/gone/x.jpg"), "\(outcome.errors)")
      #expect(
        try FileManager.default.subpathsOfDirectory(atPath: folder.path("out")).sorted()
          == ["p", "p/one_depth.png"])
      let lines = try BatchTests.manifest("log", in: folder)
      #expect(lines.compactMap { $0["relative"] as? String } == ["p/gone/x.jpg", "p/one.jpg"])
      // Found later, it gets its place in the tree.
      try FileManager.default.createDirectory(
        atPath: folder.path("p/gone"), withIntermediateDirectories: true)
      _ = try folder.write(TemporaryFolder.bytes(of: livingRoom), to: "p/gone/x.jpg")
      let again = try runDepth(
        ["predict", "--files-from", "log", "--output-dir", "out"] + BatchTests.base)
      #expect(again.status == 0, "\(again.errors)")
      #expect(FileManager.default.fileExists(atPath: folder.path("out/p/gone/x_depth.png")))
    }
  }

  @Test func addressesAreNoFiles() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      #expect(FileManager.default.changeCurrentDirectoryPath(folder.path))
      let outcome = try runDepth(
        ["predict", "https://example.org/a.jpg"] + BatchTests.base)
      #expect(outcome.status == 1)
      #expect(
        outcome.errors.contains(
          "https://example.org/a.jpg: is an address, expected a file; pass it on: curl -L ADDRESS | depth"
        ),
        "\(outcome.errors)")
      // Unless a file is there, as 'wget -x' leaves it.
      try FileManager.default.createDirectory(
        atPath: folder.path("https:/example.org"), withIntermediateDirectories: true)
      _ = try folder.write([1, 2, 3], to: "https:/example.org/a.jpg")
      let file = try runDepth(
        ["predict", "https://example.org/a.jpg"] + BatchTests.base)
      #expect(file.status == 1 && !file.errors.contains("is an address"), "\(file.errors)")
    }
  }
}
