import DepthErrors
import DepthGeometry
import DepthImages
import Foundation
import MonocularDepth
import Testing
import _TestSupport

@testable import DepthCommands
@testable import PictureFiles

/// `--normals` of `predict` and `refine`.
@Suite struct NormalsOptionTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let weights = GeneratedWeights.lite2()
    try writeHDF5(weights, attributes: weights.attributes, to: folder.path("w.h5"))
  }

  private func predict(_ options: [String]) throws -> CommandLineTool.Outcome {
    try runDepth(
      ["predict", "--weights", "w.h5", "--resolution", "64x48"] + options, in: folder)
  }

  private func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: folder.url(name)))
  }

  /// The normals of a depth file by the library, for the photo's camera.
  private func normals(_ name: String, fov: Double) throws -> NormalMap {
    let photo = try Image(contentsOf: URL(filePath: livingRoom))
    return try DepthMap(contentsOf: folder.url(name))
      .normals(camera: Camera(of: photo, focalLength: .fieldOfView(fov)))
  }

  @Test("normals fit the map and the camera") func normalsAreThoseOfTheMapAndTheCamera() throws {
    let made = try predict([
      livingRoom, "--fov", "50", "-o", "d.npy", "--normals", "n.npy", "--json",
    ])
    #expect(made.status == 0 && made.text.contains("n.npy"), "\(made.errors)")
    #expect(try bytes("n.npy") == normals("d.npy", fov: 50).encoded(as: .npy))
    let refined = try runDepth(
      [
        "refine", livingRoom, "d.npy", "--refine", "none", "--fov", "70", "-o", "r.pfm",
        "--normals",
        "n.exr", "--normals-frame", "opengl",
      ], in: folder)
    #expect(refined.status == 0, "\(refined.errors)")
    #expect(
      try bytes("n.exr")
        == normals("d.npy", fov: 70).encoded(as: .exr, frame: .opengl, software: Version.text))
    let unknown = try runDepth(
      ["refine", livingRoom, "d.npy", "-o", "r2.pfm", "--normals", "n.png"], in: folder)
    #expect(unknown.status == 0)
  }

  @Test("OpenEXR holds depth and normals", arguments: [["--normals"], ["--normals", "./d.exr"]])
  func oneOpenEXRFileHasDepthAndNormals(options: [String]) throws {
    let made = try predict([livingRoom, "-o", "d.exr"] + options)
    #expect(made.status == 0, "\(made.errors)")
    let file = try bytes("d.exr")
    for name in ["N.X", "N.Y", "N.Z", "Z"] {
      #expect(file.prefix(200).firstRange(of: Array(name.utf8) + [0, 2, 0, 0, 0]) != nil)
    }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == [
        "d.exr", "w.h5",
      ])
  }

  @Test("several photos' normals go into a folder") func severalPhotosHaveTheirsInAFolder() throws {
    let photos = ["a.png", "b.png"]
    for name in photos { try TestPhoto.image().write(to: folder.url(name)) }
    let made = try predict(photos + ["--output-dir", "out", "--normals", "n/"])
    #expect(made.status == 0, "\(made.errors)")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path("n")).sorted()
        == ["a_normals.png", "b_normals.png"])
    let beside = try predict(photos + ["--output-dir", "out2", "--normals"])
    #expect(beside.status == 0, "\(beside.errors)")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path("out2")).sorted()
        == ["a_depth.png", "a_depth_normals.png", "b_depth.png", "b_depth_normals.png"])
    // Normals are no photos of a later run.
    let later = try predict(["n", "--output-dir", "out3"])
    #expect(later.status != 0 && later.errors.contains("no photo"), "\(later.errors)")
  }

  /// The only PNG file holds the normals.
  @Test("--compression also applies to normals") func compressionIsThatOfNormals() throws {
    let made = try predict([livingRoom, "-o", "d.pfm", "--normals", "--compression", "small"])
    #expect(made.status == 0, "\(made.errors)")
    let refused = try predict([
      livingRoom, "-o", "e.pfm", "--normals", "n.npy", "--compression", "small",
    ])
    #expect(
      refused.status == 64 && refused.errors.contains("--compression requires an output as .png"))
  }

  @Test(
    "wrong use of --normals ends with status 64",
    arguments: [
      (["--normals", "n.jpg"], "n.jpg: ends in .jpg, expected .png, .npy, .exr"),
      (["--normals", "d.png"], "two files would be written to d.png"),
      (["--normals", "n.npy", "--16-bit"], "--16-bit requires --normals as .png"),
      (["--16-bit"], "--16-bit requires --normals"),
      (["--normals-frame", "opengl"], "--normals-frame requires --normals"),
      (["--normals", "n.png", "--normals-frame", "blender"], "'opencv' and 'opengl'"),
    ])
  func wrongUsageIsOneSentence(options: [String], message: String) throws {
    let refused = try predict([livingRoom, "-o", "d.png"] + options)
    #expect(refused.status == 64 && refused.errors.contains(message), "\(refused.errors)")
    #expect(!FileManager.default.fileExists(atPath: folder.path("d.png")))
  }

  /// A map without a unit has no planes.
  @Test("normals of a normalized map are refused") func normalizedMapsAreRefused() throws {
    let map = DepthMap(
      height: 48, width: 64, unit: .normalized(near: .white),
      values: (0..<48 * 64).map { Float($0 % 64) / 64 })
    try map.write(to: folder.url("v.png"))
    try TestPhoto.image().write(to: folder.url("a.png"))
    let refused = try runDepth(
      ["refine", "a.png", "v.png", "-o", "d.png", "--normals", "n.png"], in: folder)
    #expect(refused.status == 1 && refused.errorLines.count == 1, "\(refused.errors)")
    #expect(refused.errors.contains("--normals needs depth in metres or disparity"))
    #expect(!FileManager.default.fileExists(atPath: folder.path("d.png")))
  }
}
