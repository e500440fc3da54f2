import DepthBase
import Foundation
import Testing
import _TestSupport

/// Runs over lists of photos.
@Suite struct ListedPhotosTests {
  @Test("a missing listed photo leaves no folder") func missingPhotosLeaveNoFolders() async {
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
      // A photo found later gets its place in the tree.
      try FileManager.default.createDirectory(
        atPath: folder.path("p/gone"), withIntermediateDirectories: true)
      _ = try folder.write(TemporaryFolder.bytes(of: livingRoom), to: "p/gone/x.jpg")
      let again = try runDepth(
        ["predict", "--files-from", "log", "--output-dir", "out"] + BatchTests.base)
      #expect(again.status == 0, "\(again.errors)")
      #expect(FileManager.default.fileExists(atPath: folder.path("out/p/gone/x_depth.png")))
    }
  }

  @Test("file names may hold any bytes") func namesOfAnyBytesAreTaken() throws {
    let folder = try TemporaryFolder()
    let bytes = try TemporaryFolder.bytes(of: livingRoom)
    let name = String(fileName: Array("caf".utf8) + [0xE9])
    func file(_ path: String) -> URL { URL(filePath: folder.path(path)) }
    for place in ["p", "out", "again", "listed"] {
      try AtomicFile.makeFolder(file("\(place)/\(name)"))
    }
    try AtomicFile.write(bytes, to: file("p/\(name)/\(name).jpg"))
    func run(_ arguments: [String]) throws -> CommandLineTool.Outcome {
      try runDepth(["predict", "--json"] + arguments + BatchTests.base, in: folder)
    }
    let walk = try run(["p", "--recursive", "--output-dir", "out", "--manifest", "log"])
    #expect(walk.status == 0, "\(walk.errors)")
    let result = "\(name)/\(name)_depth.png"
    #expect(FileFacts(of: file("out/\(result)")) != nil)
    let record = try #require(try BatchTests.objects(walk.text).first)
    #expect((record["input"] as? String)?.hasSuffix("p/caf\\xE9/caf\\xE9.jpg") == true, "\(record)")
    let coded = try #require(record["path_base64"] as? String)
    let ending: [UInt8] =
      Array("/caf".utf8) + [0xE9] + Array("/caf".utf8) + [0xE9] + Array(".jpg".utf8)
    #expect(try #require(Data(base64Encoded: coded)).suffix(ending.count) == Data(ending))
    #expect(try BatchTests.manifest("log", in: folder)[0]["path_base64"] as? String == coded)
    // A manifest in which the photo failed, and a list with zero bytes.
    let failed = try BatchTests.manifest("log", in: folder)[0].merging(["error": "x"]) { $1 }
    _ = try folder.write(
      Array(JSONSerialization.data(withJSONObject: failed)) + [10], to: "failed")
    #expect(try run(["--files-from", "failed", "--output-dir", "again"]).status == 0)
    #expect(FileFacts(of: file("again/\(result)")) != nil)
    _ = try folder.write(
      file("p/\(name)/\(name).jpg").path(percentEncoded: false).fileNameBytes + [0], to: "list")
    let list = try run(["--files-from", "list", "-0", "--output-dir", "listed"])
    #expect(list.status == 0, "\(list.errors)")
    let missing = try run(["--files-from", "list", "-0", "--output-dir", "listed"])
    #expect(
      missing.status == 1 && missing.errors.contains("caf\\xE9_depth.png: exists already"),
      "\(missing.errors)")
  }

  @Test("an address is refused as a photo") func addressesAreNoFiles() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      #expect(FileManager.default.changeCurrentDirectoryPath(folder.path))
      let outcome = try runDepth(
        ["predict", "https://example.org/a.jpg"] + BatchTests.base)
      #expect(outcome.status == 1)
      #expect(
        outcome.errors.contains(
          "https://example.org/a.jpg: is an address, expected a file; download it: curl -L ADDRESS | depth"
        ),
        "\(outcome.errors)")
      // 'wget -x' leaves a file with such a path.
      try FileManager.default.createDirectory(
        atPath: folder.path("https:/example.org"), withIntermediateDirectories: true)
      _ = try folder.write([1, 2, 3], to: "https:/example.org/a.jpg")
      let file = try runDepth(
        ["predict", "https://example.org/a.jpg"] + BatchTests.base)
      #expect(file.status == 1 && !file.errors.contains("is an address"), "\(file.errors)")
    }
  }
}
