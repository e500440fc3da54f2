import DepthImages
import Foundation
import MonocularDepth
import PictureFiles
import Testing
import _TestSupport

/// With relative weights and `--metres none`, commands never present disparity as metres.
@Suite struct RelativeWeightsTests {
  /// A folder with `relative.h5` and `photo.png`.
  struct Files {
    let folder: TemporaryFolder

    init() throws {
      folder = try TemporaryFolder()
      let weights = GeneratedWeights.depthAnything(largest: nil)
      try writeHDF5(
        weights, attributes: weights.attributes, to: folder.path("relative.h5"), version: 2)
      let photo = try Image(contentsOf: URL(filePath: livingRoom))
      let small = resizedLanczos(photo, height: 96, width: 128, threads: 1)
      _ = try folder.write(small.encoded(as: .png), to: "photo.png")
    }

    static let options = [
      "--weights", "relative.h5", "--input-size", "252", "--metres", "none", "--quiet",
    ]

    func run(_ arguments: [String], input: [UInt8] = []) throws -> CommandLineTool.Outcome {
      try runDepth(arguments + Self.options, input: input, in: folder)
    }

    func map(_ name: String) throws -> DepthMap {
      try DepthMap(contentsOf: URL(filePath: folder.path(name)))
    }

    /// The network's unrefined map.
    func estimate() throws -> DepthMap {
      let selection = WeightsSelection(
        files: [URL(filePath: folder.path("relative.h5"))], inputSize: 252)
      return try DepthEstimator(selection).depth(
        of: Image(contentsOf: URL(filePath: folder.path("photo.png"))), options: .unrefined)
    }

    func exists(_ name: String) -> Bool {
      FileManager.default.fileExists(atPath: folder.path(name))
    }
  }

  @Test("files and records of relative depth state their unit", arguments: ["png", "pfm", "npy"])
  func filesAndRecordsSayTheirUnit(format: String) throws {
    let files = try Files()
    let made = try files.run([
      "predict", "photo.png", "-o", "d.\(format)", "--refine", "none", "--json",
    ])
    #expect(made.status == 0, "\(made.errors)")
    let map = try files.map("d.\(format)")
    #expect(map.unit == .relativeDisparity)
    let expected = try files.estimate()
    let range = try #require(expected.range())
    expectClose(
      map.values, expected.values,
      absolute: format == "png" ? Double(range.high - range.low) / 65_534 : 0)
    // The record has no distance or scale.
    let line = try BatchTests.objects(made.text)[0]
    #expect(line["unit"] as? String == "relative-disparity")
    for key in line.keys {
      #expect(!key.hasSuffix("_m") && key != "depth_factor" && key != "clipped", "\(key)")
    }
    #expect(line["uncertainty"] is NSNull && line["spread"] is NSNull)
  }

  @Test("relative depth gives refined maps and views") func refinedMapsAndViewsAreMade() throws {
    let files = try Files()
    let made = try files.run(["predict", "photo.png", "-o", "d.npy", "--view", "v.png"])
    #expect(made.status == 0, "\(made.errors)")
    let map = try files.map("d.npy")
    #expect((map.height, map.width, map.unit) == (96, 128, .relativeDisparity))
    let view = try Image(contentsOf: URL(filePath: files.folder.path("v.png")))
    // Near is white.
    let nearest = try #require(map.values.indices.max { map.values[$0] < map.values[$1] })
    #expect(view.pixels[nearest * 3] == 255)
    let refined = try runDepth(
      ["refine", "photo.png", "d.npy", "-o", "r.png"], in: files.folder)
    #expect(refined.status == 0, "\(refined.errors)")
    #expect(try files.map("r.png").unit == .relativeDisparity)
  }

  @Test(
    "commands that need metres refuse relative depth",
    arguments: [
      ["export", "photo.png", "-o", "out.glb"],
      ["export", "photo.png", "-o", "out.html"],
      ["predict", "photo.png", "-o", "out.png", "--view", "v.png", "--linear"],
      ["predict", "photo.png", "-o", "out.png", "--depth-photo", "v.jpg"],
      ["predict", "photo.png", "-o", "out.png", "--normals", "v.png"],
      ["predict", "photo.png", "-o", "out.exr", "--normals"],
      ["effect", "mask", "photo.png", "-o", "out.png", "--focus", "1.2m"],
      [
        "effect", "blur", "photo.png", "-o", "out.png", "--focus", "0.5", "--aperture", "f/2",
        "--fov", "60",
      ],
      ["effect", "haze", "photo.png", "-o", "out.png", "--density", "0.2"],
      [
        "stereo", "photo.png", "-o", "out.png", "--baseline", "6cm", "--screen-distance", "2m",
        "--fov", "60",
      ],
    ])
  func usesOfMetresAreRefused(arguments: [String]) throws {
    let files = try Files()
    let refused = try files.run(arguments)
    #expect(refused.status == 1 && refused.errorLines.count == 1, "\(refused.errors)")
    #expect(refused.errors.contains("found relative disparity"), "\(refused.errors)")
    #expect(refused.errors.contains("'depth calibrate'"))
    #expect(
      !["out.png", "out.exr", "out.glb", "out.html", "v.png", "v.jpg"].contains(where: files.exists)
    )
  }

  @Test(
    "streams that need metres refuse relative depth",
    arguments: [
      ["watch", "--near", "1m"], ["stream", "--to", "float32"], ["stream", "--to", "16uc1"],
      ["stream", "--picture-range", "0.5:6"],
    ])
  func streamsThatNeedMetresAreRefused(arguments: [String]) throws {
    let files = try Files()
    let frame = try TemporaryFolder.bytes(of: livingRoom)
    let refused = try files.run(arguments, input: frame)
    #expect(refused.status == 1 && refused.output.isEmpty, "\(refused.errors)")
    #expect(refused.errors.contains("found relative disparity"), "\(refused.errors)")
  }

  @Test("effects that need only order take relative depth") func usesOfOrderWork() throws {
    let files = try Files()
    for arguments in [
      ["stereo", "photo.png", "--format", "anaglyph", "-o", "s.png"],
      ["effect", "mask", "photo.png", "--focus", "0.8", "-o", "m.png"],
      ["effect", "blur", "photo.png", "--focus-at", "20,30", "--radius", "1%", "-o", "b.png"],
      ["effect", "haze", "photo.png", "--strength", "0.8", "-o", "h.png"],
    ] {
      let made = try files.run(arguments)
      #expect(made.status == 0, "\(made.errors)")
    }
    let frame = try TemporaryFolder.bytes(of: livingRoom)
    let streamed = try files.run(
      ["stream", "--to", "pgm8", "--refine", "none"], input: frame + frame)
    #expect(streamed.status == 0, "\(streamed.errors)")
    let header = Array("P5\n336 252\n255\n".utf8)
    #expect(streamed.output.count == 2 * (header.count + 252 * 336))
    // Pictures use the whole range of gray, with near white.
    let levels = Set(Array(streamed.output)[header.count..<(header.count + 252 * 336)])
    #expect(levels.contains(0) && levels.contains(255) && levels.count > 16)
  }

  @Test("two points turn relative depth into metres") func pointsMakeMetres() throws {
    let files = try Files()
    let map = try files.estimate()
    // Two pixels of the photo with different disparities.
    func disparity(_ x: Int, _ y: Int) -> Float {
      map.values[(y * 2 + y * 60 / 96) * map.width + x * 2 + x * 80 / 128]
    }
    let all = (0..<12 * 16).map { ($0 % 16 * 8 + 4, $0 / 16 * 8 + 4) }
    let near = try #require(all.max { disparity($0.0, $0.1) < disparity($1.0, $1.1) })
    let far = try #require(all.min { disparity($0.0, $0.1) < disparity($1.0, $1.1) })
    let points = ["--at", "\(near.0),\(near.1)=1.5m", "--at", "\(far.0),\(far.1)=4m"]
    let one = try files.run(
      ["calibrate", "photo.png", "--refine", "none", "-o", "c.json"] + points.prefix(2))
    #expect(one.status == 1 && one.errorLines.count == 1, "\(one.errors)")
    #expect(one.errors.contains("expected two or more") && !files.exists("c.json"))
    let made = try files.run(
      ["calibrate", "photo.png", "--refine", "none", "-o", "c.json", "--json"] + points)
    #expect(made.status == 0, "\(made.errors)")
    let object = try BatchTests.objects(made.text)[0]
    #expect(object["map_unit"] as? String == "relative-disparity")
    let fit = try #require(object["fit"] as? [String: Any])
    #expect(try #require(fit["rms_m"] as? Double) < 1e-6)
    let predicted = try files.run([
      "predict", "photo.png", "--refine", "none", "-o", "d.pfm", "--calibration", "c.json",
      "--json",
    ])
    #expect(predicted.status == 0, "\(predicted.errors)")
    let line = try BatchTests.objects(predicted.text)[0]
    #expect(line["near_m"] is Double && line["unit"] == nil)
    let metres = try files.map("d.pfm")
    #expect(metres.unit == .metres)
    let exported = try files.run([
      "export", "photo.png", "--refine", "none", "-o", "room.glb", "--calibration", "c.json",
    ])
    #expect(exported.status == 0, "\(exported.errors)")
    let streamed = try files.run(
      ["stream", "--to", "float32", "--calibration", "c.json", "--refine", "none"],
      input: TemporaryFolder.bytes(of: files.folder.path("photo.png")))
    #expect(
      streamed.status == 0 || streamed.errors.contains("standard input"), "\(streamed.errors)")
    // The range of a stream's pictures is the range of the calibrated maps.
    let pictures = try files.run(
      ["stream", "--to", "pgm8", "--calibration", "c.json", "--refine", "none"],
      input: TemporaryFolder.bytes(of: livingRoom))
    #expect(pictures.status == 0, "\(pictures.errors)")
    let levels = Set(pictures.output.suffix(252 * 336))
    #expect(levels.contains(0) && levels.contains(255) && levels.count > 16, "\(levels.count)")
    // Maps in metres need another calibration.
    let wrong = try runDepth(
      ["predict", "photo.png", "-o", "w.png", "--calibration", "c.json", "--weights", "compact"],
      in: files.folder)
    #expect(wrong.status == 1 && wrong.errorLines.count == 1 && !files.exists("w.png"))
    #expect(wrong.errors.contains("the calibration corrects maps of relative disparity"))
  }

  @Test("sparse depth turns relative depth into metres") func sparseDepthMakesMetres() throws {
    let files = try Files()
    let map = try files.estimate()
    var values = [Float](repeating: 0, count: map.values.count)
    for index in stride(from: 0, to: values.count, by: 97) {
      values[index] = 1 / (0.3 * map.values[index] + 0.2) * (index % 5 == 0 ? 3 : 1)
    }
    let sparse = DepthMap(height: map.height, width: map.width, unit: .metres, values: values)
    try sparse.write(to: URL(filePath: files.folder.path("lidar.pfm")))
    let made = try files.run([
      "calibrate", "photo.png", "--refine", "none", "--sparse", "lidar.pfm", "--json",
    ])
    #expect(made.status == 0, "\(made.errors)")
    let object = try BatchTests.objects(made.text)[0]
    #expect(abs(try #require(object["scale"] as? Double) - 0.3) < 1e-4)
    #expect(abs(try #require(object["shift"] as? Double) - 0.2) < 1e-4)
    let fit = try #require(object["fit"] as? [String: Any])
    #expect(try #require(fit["left_out"] as? Int) > 100)
    #expect(files.exists("photo_calibration.json"))
  }

  @Test(
    "wrong use of options for relative depth ends with status 64",
    arguments: [
      (["calibrate", "photo.png"], "expected --at x,y=distance or --sparse"),
      (
        ["calibrate", "photo.png", "--at", "1,1=2m", "--sparse", "s.pfm"],
        "--at and --sparse exclude each other"
      ),
      (
        ["calibrate", "photo.png", "--at", "1,1=2m", "--depth-unit", "metre"],
        "--depth-unit requires --sparse"
      ),
      (["effect", "haze", "p.png", "--strength", "2"], "--strength is 2.0, expected 0 to 1"),
      (
        ["effect", "haze", "p.png", "--strength", "0.5", "--density", "1"],
        "--density and --strength exclude each other"
      ),
      (["evaluate", "d", "--input-size", "300", "--weights", "compact"], "--input-size is 300"),
      (["evaluate", "d", "--input-size", "308"], "--input-size requires --weights"),
    ])
  func wrongUsageIsOneSentence(arguments: [String], message: String) throws {
    let folder = try TemporaryFolder()
    let refused = try runDepth(arguments, in: folder)
    #expect(refused.status == 64 && refused.errors.contains(message), "\(refused.errors)")
  }

  @Test("only aligned protocols take relative depth") func onlyAlignedProtocolsMeasureIt() throws {
    let files = try Files()
    let data = files.folder.path("data")
    for part in ["rgb", "depth"] {
      try FileManager.default.createDirectory(
        atPath: "\(data)/\(part)", withIntermediateDirectories: true)
    }
    let photo = try Image(contentsOf: URL(filePath: files.folder.path("photo.png")))
    let truth = DepthMap(
      height: 96, width: 128, unit: .metres,
      values: (0..<96 * 128).map { 1 + Float($0 % 128) / 32 })
    for name in ["a", "b"] {
      try photo.write(to: URL(filePath: "\(data)/rgb/\(name).png"))
      try truth.write(to: URL(filePath: "\(data)/depth/\(name).png"))
    }
    let weights = ["--weights", "relative.h5", "--input-size", "252", "--quiet"]
    let all = try runDepth(["evaluate", "data", "--json"] + weights, in: files.folder)
    #expect(all.status == 0, "\(all.errors)")
    let rows = try BatchTests.objects(all.text)
    #expect(rows.count == 1 && rows[0]["protocol"] as? String == "aligned")
    // A larger input gives other results, like another network.
    let large = try runDepth(
      ["evaluate", "data", "--json", "--weights", "relative.h5", "--input-size", "266", "--quiet"],
      in: files.folder)
    let others = try BatchTests.objects(large.text)
    #expect(large.status == 0 && others[0]["rel"] as? Double != rows[0]["rel"] as? Double)
    // The loss of int8 is measured and stored. `auto` may then choose int8.
    let calibrated = try runDepth(
      [
        "weights", "calibrate", "relative.h5", "data", "-o", "int8.h5", "--photos", "1",
        "--frames", "1", "--input-size", "252",
      ], in: files.folder)
    #expect(calibrated.status == 0, "\(calibrated.errors)")
    #expect(calibrated.text.contains("int8.h5: int8 lowers δ1 by "), "\(calibrated.text)")
    let info = try runDepth(["weights", "info", "int8.h5"], in: files.folder)
    #expect(info.text.contains("int8_delta1_loss"))
    let refused = try runDepth(
      ["evaluate", "data", "--protocol", "laina"] + weights, in: files.folder)
    #expect(refused.status == 1)
    #expect(refused.errors.contains("expected the protocol aligned (--protocol)"))
  }
}
