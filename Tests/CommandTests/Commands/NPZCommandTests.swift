import DepthBase
import DepthImages
import Foundation
import PictureFiles
import Testing
import _TestSupport

/// `.npz` files of the commands, read by an independent reader.
@Suite struct NPZCommandTests {
  private func bytes(_ folder: TemporaryFolder, _ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: folder.path(name))))
  }

  private func json(_ outcome: CommandLineTool.Outcome) throws -> [String: Any] {
    #expect(outcome.status == 0, "\(outcome.errors)")
    return try #require(
      JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any])
  }

  /// The arrays equal the run's NumPy file, PFM file and record.
  @Test("predict writes depth, confidence, camera and unit into .npz", arguments: [true, false])
  func predictWritesAllArrays(tellsErrors: Bool) throws {
    let folder = try TemporaryFolder()
    let weights = tellsErrors ? GeneratedWeights.lite2() : .lite2(outputs: 1)
    try writeHDF5(weights, attributes: weights.attributes, to: folder.path("w.h5"))
    func predict(_ name: String, _ more: [String] = []) throws -> [String: Any] {
      try json(
        runDepth(
          [
            "predict", livingRoom, "--weights", "w.h5", "--fov", "70", "--resolution", "320x240",
            "-o", name, "--json",
          ] + more, in: folder))
    }
    let record = try predict("a.npz")
    _ = try predict("a.npy", tellsErrors ? ["--confidence", "c.pfm"] : [])
    let file = try bytes(folder, "a.npz")
    let found = try ReferenceNPZ(file)
    #expect(
      found.names == (tellsErrors ? ["depth", "confidence"] : ["depth"]) + ["intrinsics", "unit"])
    #expect(try found.text("unit") == "metre")
    let depth = try found.numbers("depth", shape: "(240,320)")
    #expect(try bytes(folder, "a.npy").suffix(4 * 240 * 320) == found.arrays["depth"]!.values[...])
    #expect(depth.allSatisfy { $0 > 0 })
    let focal = try #require(record["focal_length_px"] as? Double)
    let matrix = try found.numbers("intrinsics", shape: "(3,3)")
    // The map has half of the photo's 640 columns. The record has tenths of a pixel.
    #expect(abs(matrix[0] - focal / 2) < 0.05 && abs(matrix[4] - focal / 2) < 0.05)
    #expect(abs(matrix[0] - 160 / tan(35 * Double.pi / 180)) < 1e-9)
    #expect([matrix[2], matrix[5], matrix[8]] == [159.5, 119.5, 1])
    if tellsErrors {
      let confidence = try DepthMap(
        contentsOf: URL(filePath: folder.path("c.pfm")), unit: .normalized(near: .white))
      #expect(
        try found.numbers("confidence", shape: "(240,320)").map(Float.init) == confidence.values)
    }
    _ = try predict("a.npz", ["--overwrite"])
    #expect(try bytes(folder, "a.npz") == file)
    // The photo has no Exif, so without an option the focal length is only assumed.
    let assumed = try runDepth(
      ["predict", livingRoom, "--weights", "w.h5", "-o", "b.npz"], in: folder)
    #expect(assumed.status == 0, "\(assumed.errors)")
    #expect(try !ReferenceNPZ(bytes(folder, "b.npz")).names.contains("intrinsics"))
  }

  @Test("refine keeps disparity in .npz files") func refinedNPZKeepsDisparity() throws {
    let folder = try TemporaryFolder()
    let map = DepthMap(
      height: 48, width: 64, unit: .disparity, values: [Float](repeating: 0.5, count: 48 * 64))
    try map.write(to: URL(filePath: folder.path("d.png")))
    let outcome = try runDepth(["refine", livingRoom, "d.png", "-o", "r.npz"], in: folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let found = try ReferenceNPZ(bytes(folder, "r.npz"))
    // As in PNG, disparity stays disparity. The photo has no focal length.
    #expect(try found.names == ["depth", "unit"] && found.text("unit") == "disparity")
    #expect(try found.numbers("depth", shape: "(480,640)").allSatisfy { abs($0 - 0.5) < 1e-3 })
    let array = try runDepth(["refine", livingRoom, "d.png", "-o", "r.npy"], in: folder)
    #expect(array.status == 0, "\(array.errors)")
    let metres = try DepthMap(contentsOf: URL(filePath: folder.path("r.npy")))
    #expect(metres.values.allSatisfy { abs($0 - 2) < 1e-2 })
  }

  @Test("every command reads .npz files") func everyCommandReadsThem() throws {
    let folder = try TemporaryFolder()
    let folderOfMaps = folder.path("maps")
    try FileManager.default.createDirectory(
      atPath: folderOfMaps, withIntermediateDirectories: true)
    let map = DepthMap(
      height: 48, width: 64, unit: .metres,
      values: (0..<48 * 64).map { $0 % 64 < 32 ? 1.5 : 3 })
    try map.write(to: URL(filePath: folder.path("maps/living-room_depth.npz")))
    let mine = NPZ.file([NamedArray.floats("mine", shape: [48, 64]) { map.values }])
    try Data(mine.gathered()).write(to: URL(filePath: folder.path("mine.npz")))
    let depth = ["--depth", "maps/living-room_depth.npz"]
    for command in [
      ["effect", "mask", livingRoom, "--focus", "1.5m", "-o", "m.png"] + depth,
      ["stereo", livingRoom, "-o", "s.png"] + depth,
      ["export", livingRoom, "--fov", "60", "-o", "g.ply"] + depth,
      ["refine", livingRoom, "maps", "-o", "r.pfm"],
      ["stereo", livingRoom, "--depth", "mine.npz", "--depth-key", "mine", "-o", "t.png"],
      ["refine", livingRoom, "mine.npz", "--depth-key", "mine", "-o", "u.pfm"],
    ] {
      let outcome = try runDepth(command, in: folder)
      #expect(outcome.status == 0, "\(command): \(outcome.errors)")
    }
    // Floats without a unit are metres, so the results are equal.
    #expect(try bytes(folder, "s.png") == bytes(folder, "t.png"))
    #expect(try bytes(folder, "r.pfm") == bytes(folder, "u.pfm"))
    let piped = try runDepth(
      ["refine", livingRoom, "-", "-o", "v.pfm"],
      input: bytes(folder, "maps/living-room_depth.npz"), in: folder)
    #expect(piped.status == 0, "\(piped.errors)")
    #expect(try bytes(folder, "r.pfm") == bytes(folder, "v.pfm"))

    let missing = try runDepth(["refine", livingRoom, "mine.npz", "-o", "w.pfm"], in: folder)
    #expect(missing.status == 1 && missing.errorLines.count == 1)
    #expect(
      missing.errors.contains(
        "mine.npz: holds the arrays 'mine', expected the array 'depth', 'depthmap', 'arr_0' or 'predicted_depth' (--depth-key names one)"
      ), "\(missing.errors)")
    let needless = try runDepth(
      ["stereo", livingRoom, "--depth-key", "mine", "-o", "x.png"], in: folder)
    #expect(needless.status == 64, "\(needless.errors)")
    #expect(needless.errors.contains("--depth-key requires --depth with a depth file"))
  }
}
