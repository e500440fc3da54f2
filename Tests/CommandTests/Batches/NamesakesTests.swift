import DepthErrors
import DepthImages
import DepthPhotos
import Foundation
import PictureFiles
import Testing
import _TestSupport

@testable import DepthCommands

/// Photos of a folder whose names differ only in the extension.
@Suite struct NamesakesTests {
  private static let base = ["--refine", "none"]

  private static func photo(_ seed: Int = 3) -> Image {
    Image(height: 48, width: 64, pixels: (0..<9216).map { UInt8(($0 * seed) >> 4 & 255) })
  }

  private static func folder(of names: [String]) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for name in ["p", "maps"] {
      try FileManager.default.createDirectory(
        atPath: folder.path(name), withIntermediateDirectories: true)
    }
    for (index, name) in names.enumerated() {
      let isPNG = name.lowercased().hasSuffix("png")
      _ = try folder.write(photo(index + 3).encoded(as: isPNG ? .png : .jpeg()), to: "p/\(name)")
    }
    return folder
  }

  private static func results(_ folder: TemporaryFolder, _ name: String = "p") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path(name)).sorted()
      .filter { $0.hasSuffix("_depth.png") }
  }

  /// Names depend only on the files on disk, so all ways to select photos agree.
  @Test(
    "results of photos that differ only in extension keep the extension",
    arguments: [
      ["IMG_1.JPG", "IMG_1.png"], ["IMG_1.jpe", "IMG_1.jfif"], ["IMG_1.Jpg", "IMG_1.MPO"],
      ["IMG_1.jpeg", "IMG_1.JPEG"],
    ])
  func bothNamesGetTheExtension(names: [String]) throws {
    let folder = try Self.folder(of: names + ["b.jpg"])
    let all = (names.map { "\($0)_depth.png" } + ["b_depth.png"]).sorted()
    let whole = try runDepth(["predict", "p"] + Self.base, in: folder)
    #expect(whole.status == 0, "\(whole.errors)")
    #expect(try Self.results(folder) == all)
    #expect(
      whole.errorLines.count { $0.contains("so names of output files contain it") } == 1,
      "\(whole.errors)")
    // Results are no photos and do not change names.
    let again = try runDepth(
      ["predict", "p", "--skip-existing"] + Self.base, in: folder)
    #expect(again.errors.contains("0 of 3 photos done, 3 skipped"), "\(again.errors)")
    let command = ["predict", "--output-dir", "out", "--overwrite"] + Self.base
    for words in [["p/\(names[0])"], ["p", "--shard", "1/2"], ["p", "--shard", "2/2"]] {
      let part = try runDepth(command + words, in: folder)
      #expect(part.status == 0, "\(words): \(part.errors)")
    }
    #expect(try Self.results(folder, "out") == all)
    let listed = try runDepth(
      ["predict", "--files-from", "-", "--overwrite"] + Self.base,
      input: Array(folder.path("p/\(names[0])\n").utf8))
    #expect(listed.status == 0, "\(listed.errors)")
    #expect(try Self.results(folder) == all)
  }

  @Test("pictures of this program are no namesakes") func ownPicturesAreNoNamesakes() throws {
    let folder = try Self.folder(of: ["a.jpg"])
    for words in [["predict", "-o", "p/a.png"], ["stereo", "--format", "mpo", "-o", "p/a.mpo"]] {
      let outcome = try runDepth(
        words + ["p/a.jpg"], in: folder)
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
    let outcome = try runDepth(["predict", "p"] + Self.base, in: folder)
    #expect(
      outcome.errorLines.last?.hasPrefix("depth: 1 of 1 photos done, ") == true, "\(outcome.errors)"
    )
    #expect(try Self.results(folder) == ["a_depth.png"])
  }

  @Test("each photo finds its own map in a folder") func depthFoldersHaveTheNames() throws {
    let folder = try Self.folder(of: ["IMG_1.JPG", "IMG_1.png"])
    for name in ["IMG_1.JPG_depth.png", "IMG_1_depth.png"] {
      _ = try folder.write([1], to: "maps/\(name)")
    }
    let maps = DepthChoice.folder(folder.path("maps"))
    func file(_ name: String) throws -> String? {
      try maps.file(of: PhotoInput(path: folder.path("p/\(name)")).withNamesake)
        .map { URL(filePath: $0).lastPathComponent }
    }
    #expect(try file("IMG_1.JPG") == "IMG_1.JPG_depth.png")
    #expect(try file("IMG_1.png") == "IMG_1_depth.png")
    _ = try folder.write([1], to: "maps/IMG_1.JPG.pfm")
    let error = #expect(throws: DepthError.self) { try file("IMG_1.JPG") }
    #expect("\(try #require(error))".contains("has 2 depth files"))
    let refined = try runDepth(
      ["predict", "p", "--output-dir", "maps"] + Self.base + ["--overwrite"], in: folder)
    #expect(refined.status == 0, "\(refined.errors)")
    try FileManager.default.removeItem(atPath: folder.path("maps/IMG_1.JPG.pfm"))
    let outcome = try runDepth(
      ["refine", "p", "maps", "--output-dir", "fine"], in: folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(
      try Self.results(folder, "fine") == ["IMG_1.JPG_depth.png", "IMG_1.png_depth.png"])
  }

  @Test("the summary counts visible other files", arguments: [0, 1, 11])
  func otherFilesAreCounted(count: Int) throws {
    let folder = try Self.folder(of: ["a.jfif", "b.jpe", ".hidden.txt"])
    for number in 0..<count { _ = try folder.write([1], to: "p/IMG_\(number).AAE") }
    for expected in ["2 of 2 photos done", "0 of 2 photos done, 2 skipped"] {
      let outcome = try runDepth(
        ["predict", "p", "--skip-existing"] + Self.base, in: folder)
      let others = count == 0 ? "" : count == 1 ? ", 1 other file" : ", 11 other files"
      #expect(outcome.errors.contains("\(expected)\(others), "), "\(outcome.errors)")
    }
  }
}
