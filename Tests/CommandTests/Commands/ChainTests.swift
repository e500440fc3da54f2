import DepthImages
import DepthRefinement
import Foundation
import MonocularDepth
import PictureFiles
import Testing
import ViewSynthesis
import _TestSupport

/// Commands read each other's outputs without further options.
@Suite struct ChainTests {
  /// The example photo in landscape, portrait, square and wide format.
  static let shapes = [(480, 640), (640, 480), (400, 400), (270, 640)]

  private func photo(_ height: Int, _ width: Int, in folder: TemporaryFolder) throws -> String {
    let full = try Image(contentsOf: URL(filePath: livingRoom))
    var pixels: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        let start = (y * full.height / height * full.width + x * full.width / width) * 3
        pixels += full.pixels[start..<start + 3]
      }
    }
    let path = folder.path("photo.png")
    try Image(height: height, width: width, pixels: pixels).write(to: URL(filePath: path))
    return path
  }

  @discardableResult
  private func run(
    _ arguments: [String], sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> CommandLineTool.Outcome {
    let outcome = try runDepth(arguments)
    try #require(outcome.status == 0, "\(outcome.errors)", sourceLocation: sourceLocation)
    return outcome
  }

  private func map(_ path: String) throws -> DepthMap {
    try DepthMap(contentsOf: URL(filePath: path))
  }

  // MARK: - predict → refine

  @Test(
    "refinement in a second run gives an equal map",
    arguments: shapes, DepthFileFormat.readable)
  func theNetworksOwnMapIsRefined(shape: (Int, Int), format: DepthFileFormat) throws {
    let folder = try TemporaryFolder()
    let photo = try photo(shape.0, shape.1, in: folder)
    let small = folder.path("net.\(format.rawValue)")
    try run(["predict", photo, "--refine", "none", "-o", small])
    let found = try map(small)
    let sides = (PackagedMap.height, PackagedMap.width)
    #expect((found.height, found.width) == (shape.0 > shape.1 ? (sides.1, sides.0) : sides))
    let large = folder.path("large.pfm")
    let outcome = try run(["refine", photo, small, "-o", large, "--quiet"])
    #expect(outcome.errors.isEmpty && outcome.output.isEmpty)
    try run(["predict", photo, "-o", folder.path("direct.pfm")])
    let (refined, direct) = (try map(large), try map(folder.path("direct.pfm")))
    #expect((refined.height, refined.width) == shape)
    if format == .png {
      // PNG rounds to millimetres, which may move a pixel across an edge.
      let difference = zip(refined.values, direct.values).reduce(0) { $0 + abs($1.0 - $1.1) }
      #expect(difference / Float(direct.values.count) < 0.001)
    } else {
      #expect(refined == direct)
    }
  }

  @Test("a map of another shape is refused by its name") func anotherMapIsStillRefused() throws {
    let folder = try TemporaryFolder()
    for (height, width, advice) in [
      (160, 128, "rotate it first"), (128, 161, "--stretch"), (128, 128, "--stretch"),
    ] {
      let file = folder.path("other\(height)x\(width).pfm")
      try DepthMap(
        height: height, width: width, unit: .metres,
        values: .init(repeating: 2, count: height * width)
      ).write(to: URL(filePath: file))
      let outcome = try runDepth(["refine", livingRoom, file, "-o", folder.path("r.png")])
      #expect(outcome.status == 1 && outcome.errors.contains(advice), "\(outcome.errors)")
      // The error names the map.
      #expect(outcome.errors.hasPrefix("depth: \(file): "), "\(outcome.errors)")
    }
  }

  // MARK: - predict → evaluate, predict → stereo

  @Test(
    "stored predictions have the network's errors",
    arguments: DepthFileFormat.readable, ["none", "joint"])
  func predictionsAreEvaluated(format: DepthFileFormat, method: String) throws {
    let folder = try TemporaryFolder()
    for part in ["rgb", "depth", "maps"] {
      try FileManager.default.createDirectory(
        atPath: folder.path(part), withIntermediateDirectories: true)
    }
    var photos: [String] = []
    for name in ["living-room", "fruit-bowl"] {
      let bytes = try TemporaryFolder.bytes(of: packageFolder + "/Examples/\(name).jpg")
      photos.append(try folder.write(bytes, to: "rgb/\(name).jpg"))
      try DepthMap(
        height: 480, width: 640, unit: .metres, values: .init(repeating: 4, count: 480 * 640)
      ).write(to: URL(filePath: folder.path("depth/\(name).pfm")))
    }
    try run(
      ["predict"] + photos + [
        "--output-dir", folder.path("maps"), "--format", format.rawValue, "--refine", method,
      ])
    let arguments = ["evaluate", folder.path, "--protocol", "full-frame", "--json"]
    let outcome = try run(arguments + ["--predictions", folder.path("maps")])
    let direct = try run(arguments + (method == "none" ? [] : ["--refine", method]))
    func rel(_ outcome: CommandLineTool.Outcome) throws -> Double {
      let json = try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any]
      #expect(json?["frames"] as? Int == 2)
      return try #require(json?["rel"] as? Double)
    }
    #expect(abs(try rel(outcome) - rel(direct)) < 1e-3)
  }

  @Test(
    "predictions make stereo pairs of the photo's size",
    arguments: DepthFileFormat.readable, ["none", "joint"])
  func predictionsMakeStereoPairs(format: DepthFileFormat, method: String) throws {
    let folder = try TemporaryFolder()
    for shape in Self.shapes {
      let photo = try photo(shape.0, shape.1, in: folder)
      let depth = folder.path("depth.\(format.rawValue)")
      try run(["predict", photo, "--refine", method, "-o", depth, "--overwrite"])
      try run([
        "stereo", photo, "--depth", depth, "-o", folder.path("s.png"), "--overwrite",
      ])
      let pair = try Image(contentsOf: URL(filePath: folder.path("s.png")))
      #expect((pair.height, pair.width) == (shape.0, 2 * shape.1))
    }
  }

  // MARK: - calibrate → predict

  @Test(
    "a calibrated map has the given distances",
    arguments: ["joint", "bilateral", "gaussian", nil])
  func knownDistancesComeBack(method: String?) throws {
    let folder = try TemporaryFolder()
    let file = folder.path("camera.json")
    let refinement = method.map { ["--refine", $0] } ?? []
    try run(
      ["calibrate", livingRoom, "--at", "320,460=2.1m", "--at", "320,200=7.5m", "-o", file]
        + refinement)
    #expect(
      try DepthCalibration(contentsOf: URL(filePath: file)).refinement.rawValue
        == method ?? "joint")
    for format in DepthFileFormat.readable {
      let output = folder.path("d.\(format.rawValue)")
      let outcome = try run(
        ["predict", livingRoom, "--calibration", file, "-o", output, "--quiet"] + refinement)
      #expect(outcome.errors.isEmpty, "\(outcome.errors)")
      let depth = try map(output)
      #expect(abs(depth.values[460 * 640 + 320] - 2.1) <= 0.001)
      #expect(abs(depth.values[200 * 640 + 320] - 7.5) <= 0.001)
    }
  }

  @Test("unrefined maps are calibrated too") func rawMapsAreCalibratedToo() throws {
    let folder = try TemporaryFolder()
    let file = folder.path("camera.json")
    let raw = ["--refine", "none", "--resolution", "photo"]
    try run(
      ["calibrate", livingRoom, "--at", "320,460=2.1m", "--at", "320,200=7.5m", "-o", file] + raw)
    try run(["predict", livingRoom, "--calibration", file, "-o", folder.path("d.pfm")] + raw)
    let depth = try map(folder.path("d.pfm"))
    #expect(abs(depth.values[460 * 640 + 320] - 2.1) <= 0.001)
    #expect(abs(depth.values[200 * 640 + 320] - 7.5) <= 0.001)
  }

  @Test("a calibration for another refinement is noted") func anotherRefinementIsWarnedOf() throws {
    let folder = try TemporaryFolder()
    let file = folder.path("camera.json")
    try run(["calibrate", livingRoom, "--at", "320,460=2.1m", "-o", file])
    let other = try run([
      "predict", livingRoom, "--calibration", file, "--refine", "none", "-o", folder.path("d.pfm"),
      "--quiet",
    ])
    #expect(other.errorLines.count == 1)
    #expect(other.errors.contains("refined by joint") && other.errors.contains("refined by none"))
    // This file of an earlier version was fitted to the unrefined map.
    let text = #"{"format":"depth-calibration","version":1,"scale":1.5,"shift":0,"points":[]}"#
    let old = try folder.write(Array(text.utf8), to: "old.json")
    let warned = try run([
      "predict", livingRoom, "--calibration", old, "-o", folder.path("e.pfm"), "--quiet",
    ])
    #expect(warned.errorLines.count == 1 && warned.errors.contains("refined by none"))
  }

  // MARK: - In the library

  @Test("the library chains estimate, refinement, calibration and stereo", arguments: shapes)
  func theSameInTheLibrary(shape: (Int, Int)) throws {
    let folder = try TemporaryFolder()
    let photo = try Image(contentsOf: URL(filePath: photo(shape.0, shape.1, in: folder)))
    let depth = try DepthEstimator().depth(of: photo, options: .unrefined)
    try depth.checkAspect(of: photo)
    for format in DepthFileFormat.readable {
      let file = URL(filePath: folder.path("net.\(format.rawValue)"))
      try depth.write(to: file)
      let read = try DepthMap(contentsOf: file)
      #expect(read.unit == .metres)
      try read.checkAspect(of: photo)
    }
    let sharp = try depth.refined(guidedBy: photo)
    let (x, y, u, v) = (shape.1 / 2, shape.0 - 20, shape.1 / 2, shape.0 * 2 / 5)
    let calibration = try DepthCalibration(
      [.init(x: x, y: y, metres: 1.9), .init(x: u, y: v, metres: 6.5)], depth: sharp,
      photoHeight: photo.height, width: photo.width, refinement: RefinementMethod(.joint))
    let corrected = try sharp.calibrated(by: calibration)
    #expect(abs(corrected.values[y * photo.width + x] - 1.9) < 0.001)
    #expect(abs(corrected.values[v * photo.width + u] - 6.5) < 0.001)
    let pair = try photo.stereoPair(depth: corrected, maximumShift: 0.01)
    #expect(pair.sideBySide().width == 2 * photo.width)
  }
}
