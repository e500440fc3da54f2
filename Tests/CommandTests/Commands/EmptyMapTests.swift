import DepthErrors
import DepthImages
import DepthRefinement
import Foundation
import MonocularDepth
import PictureFiles
import Testing
import _TestSupport

/// A map without any value is a failure: one line, exit status 1, no file.
@Suite struct EmptyMapTests {
  private func expectRefusal(
    _ arguments: [String], naming name: String, in folder: TemporaryFolder,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let before = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    let outcome = try runDepth(arguments)
    #expect(outcome.status == 1 && !outcome.wasKilled, sourceLocation: sourceLocation)
    #expect(outcome.errorLines.count == 1, "\(outcome.errors)", sourceLocation: sourceLocation)
    #expect(outcome.errors.contains(name), "\(outcome.errors)", sourceLocation: sourceLocation)
    #expect(outcome.output.isEmpty, sourceLocation: sourceLocation)
    let after = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(before == after, sourceLocation: sourceLocation)
  }

  /// Weights that give no depth.
  private func weights(_ fault: String, in folder: TemporaryFolder) throws -> String {
    let base = GeneratedWeights(widthDivisor: 16)
    var weights = EditedWeights(base)
    // Each value is allowed, but products over all layers are infinite.
    let isInfinite = fault == "infinite sums"
    for (name, shape) in base.shapes
    where fault == "all zero"
      || (isInfinite ? name.hasSuffix("/kernel") : name.hasPrefix("ConvPred"))
    {
      let value: Float = isInfinite ? 1e6 : 0
      weights.tensors[name] = .init(
        shape: shape, elements: .init(repeating: value, count: shape.reduce(1, *)))
    }
    let path = folder.path("w.h5")
    try writeHDF5(weights, attributes: base.attributes, to: path)
    return path
  }

  @Test(
    "weights that give no depth are refused by every command",
    arguments: ["all zero", "last layer zero", "infinite sums"])
  func weightsThatGiveNoDepth(fault: String) throws {
    let folder = try TemporaryFolder()
    let weights = try weights(fault, in: folder)
    for arguments in [
      ["predict", livingRoom, "-o", folder.path("d.png"), "--view", folder.path("v.png")],
      ["predict", livingRoom, "--refine", "none", "-o", folder.path("d.npy")],
      ["predict", livingRoom, "--fill", "-o", "-"],
      ["stereo", livingRoom, "-o", folder.path("s.png")],
      ["calibrate", livingRoom, "--at", "10,10=2m", "-o", folder.path("c.json")],
      ["weights", "verify"],
    ] {
      let isVerify = arguments[0] == "weights"
      try expectRefusal(
        arguments + (isVerify ? [weights] : ["--weights", weights]), naming: "w.h5", in: folder)
    }
    let estimator = try DepthEstimator(.file(URL(filePath: weights)))
    let photo = testImage(height: 48, width: 64)
    #expect(throws: DepthError.noDepth(weights: URL(filePath: weights).relativePath)) {
      try estimator.depth(of: photo, options: .unrefined)
    }
  }

  @Test("NaN and infinite weights are refused", arguments: [Float.nan, .infinity])
  func weightsThatAreNoNumbers(value: Float) throws {
    let folder = try TemporaryFolder()
    let base = GeneratedWeights(widthDivisor: 16)
    var weights = EditedWeights(base)
    let shape = try #require(base.shapes["ConvPred/kernel"])
    weights.tensors["ConvPred/kernel"] = .init(
      shape: shape, elements: .init(repeating: value, count: shape.reduce(1, *)))
    let path = folder.path("w.h5")
    try writeHDF5(weights, attributes: base.attributes, to: path)
    try expectRefusal(
      ["predict", livingRoom, "--weights", path, "-o", folder.path("d.png")], naming: "w.h5",
      in: folder)
  }

  @Test("a map calibrated beyond infinity is refused", arguments: ["joint", "none"])
  func calibrationsBeyondInfinity(method: String) throws {
    let folder = try TemporaryFolder()
    let file = folder.path("camera.json")
    let refinement = try #require(RefinementMethod.Name(rawValue: method))
    try DepthCalibration(scale: 1, shift: -50, refinement: RefinementMethod(refinement))
      .write(to: URL(filePath: file))
    let outcome = try runDepth([
      "predict", livingRoom, "--calibration", file, "--refine", method, "-o", folder.path("d.png"),
    ])
    #expect(outcome.status == 1 && outcome.errorLines.count == 1, "\(outcome.errors)")
    #expect(outcome.errors.contains("living-room.jpg") && outcome.errors.contains("infinity"))
    #expect(!FileManager.default.fileExists(atPath: folder.path("d.png")))
  }

  @Test("a frame beyond infinity does not end a stream", arguments: ["16uc1", "gray8", "beside"])
  func framesBeyondInfinityDoNotEndAStream(format: String) throws {
    let folder = try TemporaryFolder()
    let file = folder.path("camera.json")
    try DepthCalibration(scale: 1, shift: -50, refinement: .none).write(to: URL(filePath: file))
    let frame = testImage(height: 48, width: 64).pixels
    let outcome = try runDepth(
      [
        "stream", "--from", "rgb24", "--size", "64x48", "--to", format,
        "--refine", "none", "--calibration", file,
      ], input: frame + frame)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors.hasPrefix("depth: 2 frames in "), "\(outcome.errors)")
    let (area, tail) = (PackagedMap.area, outcome.output.suffix(PackagedMap.area))
    switch format {
    case "16uc1":
      #expect(outcome.output == [UInt8](repeating: 0, count: 2 * 2 * area))
    case "gray8": #expect(tail.allSatisfy { $0 == 128 })
    default: #expect(outcome.output.count > 2 * 3 * 128 * 48)
    }
  }

  @Test(
    "a frame beyond infinity stays unchanged in a film",
    arguments: [
      ["stereo", "--format", "sbs"], ["stereo", "--format", "sbs", "--steady", "none"],
      ["effect", "haze"], ["effect", "blur", "--focus", "2m"],
      ["effect", "mask", "--focus", "0.5"],
    ])
  func framesBeyondInfinityDoNotEndAFilm(words: [String]) throws {
    let folder = try TemporaryFolder()
    let file = folder.path("camera.json")
    try DepthCalibration(scale: 1, shift: -50, refinement: .none).write(to: URL(filePath: file))
    let frame = testImage(height: 48, width: 64).pixels
    let outcome = try runDepth(
      words + [
        "--stream", "--from", "rgb24", "--size", "64x48", "--calibration",
        file,
      ], input: frame + frame)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let picture: [UInt8]
    switch words[1] {
    case "--format":
      picture = stride(from: 0, to: frame.count, by: 192).flatMap { start in
        let row = frame[start..<start + 192]
        return row + row
      }
    case "mask": picture = [UInt8](repeating: 0, count: frame.count)
    default: picture = frame
    }
    #expect(outcome.output == picture + picture)
  }

  @Test("a depth file without a value is refused by its name", arguments: ["pfm", "png"])
  func depthFilesWithoutAValue(format: String) throws {
    let folder = try TemporaryFolder()
    let empty = folder.path("empty.\(format)")
    try DepthMap(height: 48, width: 64, unit: .metres, values: .init(repeating: 0, count: 3072))
      .write(to: URL(filePath: empty))
    try expectRefusal(
      ["refine", livingRoom, empty, "-o", folder.path("r.png")], naming: "empty.\(format)",
      in: folder)
    try expectRefusal(
      ["refine", livingRoom, empty, "--fill", "-o", folder.path("r.png")],
      naming: "empty.\(format)", in: folder)
    try expectRefusal(
      ["stereo", livingRoom, "--depth", empty, "-o", folder.path("s.png")],
      naming: "empty.\(format)", in: folder)
  }
}
