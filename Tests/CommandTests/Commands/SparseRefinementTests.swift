import DepthImages
import Foundation
import MonocularDepth
import PictureFiles
import Testing
import _TestSupport

/// `refine --sparse`: maps that are aligned to known distances.
@Suite struct SparseRefinementTests {
  private struct Files {
    let folder: TemporaryFolder

    init() throws {
      folder = try TemporaryFolder()
      try TestPhoto.image().write(to: url("photo.png"))
      try TestPhoto.depth(height: 24, width: 32).write(to: url("depth.pfm"))
      try Self.points.write(to: url("laser.npy"))
    }

    /// Each 17th pixel of the true depth, times 1.3.
    static let points = DepthMap(
      height: 48, width: 64, unit: .metres,
      values: TestPhoto.depth().values.enumerated().map { $0 % 17 == 0 ? $1 * 1.3 : 0 })

    func url(_ name: String) -> URL { URL(filePath: folder.path(name)) }

    func run(_ arguments: String...) throws -> CommandLineTool.Outcome {
      try runDepth(["refine"] + arguments, in: folder)
    }
  }

  @Test("refine --sparse gives the library's map and fit errors") func equalsTheLibrary() throws {
    let files = try Files()
    let made = try files.run(
      "photo.png", "depth.pfm", "--sparse", "laser.npy", "-o", "moved.npy", "--json")
    #expect(made.status == 0, "\(made.errors)")
    let photo = try Image(contentsOf: files.url("photo.png"))
    let expected = try DepthMap(contentsOf: files.url("depth.pfm")).refined(guidedBy: photo)
      .aligned(to: Files.points, guidedBy: photo)
    #expect(try DepthMap(contentsOf: files.url("moved.npy")) == expected)
    let record = try BatchTests.objects(made.text)[0]
    let fit = try #require(record["sparse"] as? [String: Any])
    #expect(fit["points"] as? Int == 181 && fit["left_out"] is Int)
    #expect(try #require(fit["median_error_m"] as? Double) < 0.2 && fit["rms_m"] is Double)
    // Another noise gives another map. A run without --sparse records no points.
    let loose = try files.run(
      "photo.png", "depth.pfm", "--sparse", "laser.npy", "--sparse-noise", "80%", "-o", "loose.npy")
    #expect(loose.status == 0, "\(loose.errors)")
    #expect(try DepthMap(contentsOf: files.url("loose.npy")) != expected)
    let plain = try files.run("photo.png", "depth.pfm", "-o", "plain.npy", "--json")
    #expect(try BatchTests.objects(plain.text)[0]["sparse"] == nil)
  }

  @Test("relative depth is aligned to metres of sparse points")
  func foldersAndRelativeDepth() throws {
    let files = try Files()
    let relative = DepthMap(
      height: 24, width: 32, unit: .relativeDisparity,
      values: TestPhoto.depth(height: 24, width: 32).values.map { 5 / $0 })
    for (name, folder) in [("a", "maps"), ("b", "maps"), ("a", "points"), ("b", "points")] {
      try FileManager.default.createDirectory(
        at: files.url(folder), withIntermediateDirectories: true)
      if folder == "maps" {
        try relative.write(to: files.url("maps/\(name).npy"))
        try TestPhoto.image().write(to: files.url("\(name).png"))
      } else {
        try Files.points.write(to: files.url("points/\(name).pfm"))
      }
    }
    let made = try files.run(
      "a.png", "b.png", "maps", "--sparse", "points", "--format", "npy", "--output-dir", "out")
    #expect(made.status == 0, "\(made.errors)")
    for name in ["a", "b"] {
      let map = try DepthMap(contentsOf: files.url("out/\(name)_depth.npy"))
      #expect(map.unit == .metres && abs(map.values[0] / (4 * 1.3) - 1) < 0.05)
    }
    let one = try files.run(
      "a.png", "b.png", "maps", "--sparse", "laser.npy", "--output-dir", "other")
    #expect(one.status == 64 && one.errors.contains("laser.npy is not a folder"), "\(one.errors)")
  }

  @Test("a sparse file counts as an input") func inputsAreKept() throws {
    let files = try Files()
    try FileManager.default.createDirectory(
      at: files.url("laser"), withIntermediateDirectories: true)
    try Files.points.write(to: files.url("laser/photo_depth.npy"))
    let over = try files.run(
      "photo.png", "depth.pfm", "--sparse", "laser", "--output-dir", "laser", "--format", "npy",
      "--overwrite")
    #expect(over.status != 0 && over.errors.contains("photo_depth.npy"), "\(over.errors)")
    #expect(
      try Data(contentsOf: files.url("laser/photo_depth.npy"))
        == Data(contentsOf: files.url("laser.npy")))
    let arguments = [
      "refine", "photo.png", "depth.pfm", "--sparse", "laser.npy", "-o", "out.npy",
      "--skip-existing",
    ]
    #expect(try runDepth(arguments, in: files.folder).status == 0)
    let first = try DepthMap(contentsOf: files.url("out.npy"))
    let farther = DepthMap(
      height: 48, width: 64, unit: .metres, values: Files.points.values.map { $0 * 2 })
    try farther.write(to: files.url("laser.npy"))
    let later = Date(timeIntervalSinceNow: 60)
    try FileManager.default.setAttributes(
      [.modificationDate: later], ofItemAtPath: files.folder.path("laser.npy"))
    #expect(try runDepth(arguments, in: files.folder).status == 0)
    let second = try DepthMap(contentsOf: files.url("out.npy"))
    #expect(abs(second.values[0] / first.values[0] - 2) < 0.1)
  }

  @Test("relative maps that are aligned to points have normals")
  func normals() throws {
    let files = try Files()
    let relative = DepthMap(
      height: 48, width: 64, unit: .relativeDisparity,
      values: TestPhoto.depth().values.map { 3 / $0 })
    try relative.write(to: files.url("relative.npy"))
    let made = try files.run(
      "photo.png", "relative.npy", "--sparse", "laser.npy", "-o", "d.exr", "--normals", "n.npy",
      "--fov", "60")
    #expect(made.status == 0 && FileManager.default.fileExists(atPath: files.folder.path("n.npy")))
  }

  @Test("files without a unit need --sparse-scale")
  func scales() throws {
    let files = try Files()
    let gray = DepthMap(
      height: 48, width: 64, unit: .metres, values: Files.points.values.map { $0 / 4 })
    try gray.write(to: files.url("quarter.npy"))
    func values(_ arguments: String...) throws -> [Float] {
      let made = try runDepth(
        ["refine", "photo.png", "depth.pfm", "--overwrite", "-o", "out.npy", "--sparse"]
          + arguments,
        in: files.folder)
      #expect(made.status == 0, "\(made.errors)")
      return try DepthMap(contentsOf: files.url("out.npy")).values
    }
    let expected = try values("laser.npy")
    let scaled = try values("quarter.npy", "--sparse-scale", "0.25")
    #expect(zip(scaled, expected).allSatisfy { abs($0 / $1 - 1) < 1e-4 })
    // A factor of four is noted.
    let far = try files.run(
      "photo.png", "depth.pfm", "--sparse", "quarter.npy", "-o", "far.npy", "--overwrite")
    #expect(far.status == 0 && far.errors.contains("are unit, pixel and focal length right?"))
  }

  @Test(
    "wrong use of --sparse options ends with status 64 and the reason",
    arguments: [
      (["--sparse-noise", "2%"], "--sparse-noise requires --sparse"),
      (["--sparse-scale", "1000"], "--sparse-scale requires --sparse"),
      (
        ["--sparse", "laser.npy", "--sparse-noise", "0"],
        "--sparse-noise is 0.0, expected 0.0001 to 1"
      ),
      (["--sparse", "laser.npy", "--sparse-noise", "much"], "a share such as 1% or 0.01"),
      (
        ["--sparse", "laser.npy", "--sparse-scale", "-1"],
        "--sparse-scale is -1.0, expected a positive"
      ),
      (
        ["--sparse", "laser.npy", "--metres", "default"], "--metres and --sparse exclude each other"
      ),
    ])
  func wrongUsage(arguments: [String], message: String) throws {
    let files = try Files()
    let refused = try runDepth(["refine", "photo.png", "depth.pfm"] + arguments, in: files.folder)
    #expect(refused.status == 64 && refused.errors.contains(message), "\(refused.errors)")
  }

  @Test(
    "a sparse file that does not fit the photo is named",
    arguments: [
      ("missing.npy", "missing.npy"), ("wide.npy", "wide.npy"), ("empty.npy", "empty.npy"),
    ])
  func unusableFiles(name: String, named: String) throws {
    let files = try Files()
    try DepthMap(height: 10, width: 80, unit: .metres, values: .init(repeating: 2, count: 800))
      .write(to: files.url("wide.npy"))
    try DepthMap(height: 48, width: 64, unit: .metres, values: .init(repeating: 0, count: 48 * 64))
      .write(to: files.url("empty.npy"))
    let refused = try files.run(
      "photo.png", "depth.pfm", "--refine", "none", "--sparse", name, "-o", "x.png")
    #expect(refused.status == 1 && refused.errorLines.count == 1)
    #expect(refused.errors.contains(named), "\(refused.errors)")
    #expect(!FileManager.default.fileExists(atPath: files.folder.path("x.png")))
  }
}
