import ArgumentParser
import DepthBase
import DepthImages
import Foundation
import MonocularDepth
import PictureFiles
import Testing
import _TestSupport

@testable import DepthCommands

/// `--precision` and `depth weights calibrate` on the command line.
@Suite struct PrecisionTests {
  private static let photo = packageFolder + "/Examples/living-room.jpg"

  private func map(_ options: [String]) throws -> (depth: DepthMap, json: [String: Any]) {
    let folder = try TemporaryFolder()
    let outcome = try runDepth(
      ["predict", Self.photo, "--refine", "none", "--json", "-o", folder.path("d.pfm")] + options)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let json = try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any])
    return (try DepthMap(contentsOf: URL(fileURLWithPath: folder.path("d.pfm"))), json)
  }

  @Test("int8 depth is within 2 % of float32 depth") func integersAreCloseToFloats() throws {
    let floats = try map(["--precision", "float32"])
    #expect(floats.json["precision"] as? String == "float32")
    let integers = try map(["--precision", "int8", "--threads", "1"])
    #expect(integers.json["precision"] as? String == "int8")
    let identifier = try #require(integers.json["weights_id"] as? String)
    #expect(identifier.hasSuffix("+int8"))
    let ratios = zip(integers.depth.values, floats.depth.values).map { abs($0 / $1 - 1) }
    #expect(ratios.reduce(0, +) / Float(ratios.count) < 0.02)
    #expect(integers.depth != floats.depth)
    #expect(try map(["--precision", "int8", "--threads", "3"]).depth == integers.depth)
  }

  @Test("int8 is the default if its loss is known")
  func integersAreTheDefaultWhereTheLossIsKnown() throws {
    let given = try map([])
    #expect(given.json["precision"] as? String == "int8")
    #expect(try map(["--precision", "auto"]).depth == given.depth)
    let outcome = try runDepth(
      ["benchmark", "--runs", "1", "--json"])
    let json = try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any])
    #expect(json["precision"] as? String == "int8")
  }

  @Test("a photo has equal depth on every instruction set")
  func aPhotoHasTheSameDepthOnEveryProcessor() throws {
    let folder = try TemporaryFolder()
    let sets =
      InstructionSet.supported.map(\.rawValue)
      + Int8InstructionSet.supported.filter(\.multipliesBytes).map(\.name)
    #expect(sets.contains("baseline"))
    for refinement in ["none", "joint"] {
      let files = try sets.map { set in
        let file = folder.path("\(refinement)-\(set).npy")
        let outcome = try depthTool.run(
          ["predict", Self.photo, "--refine", refinement, "-o", file, "--quiet"],
          environment: ["DEPTH_ISA": set])
        #expect(outcome.status == 0, "\(outcome.errors)")
        return try Data(contentsOf: URL(filePath: file))
      }
      for (set, file) in zip(sets, files) { #expect(file == files[0], "\(refinement), \(set)") }
    }
  }

  @Test("other commands state the precision of estimates") func otherCommandsNameItToo() throws {
    let folder = try TemporaryFolder()
    let photo = Image(height: 24, width: 32, pixels: (0..<24 * 32 * 3).map { UInt8($0 & 255) })
    let input = try folder.write(photo.encoded(as: .png), to: "p.png")
    let integers = ["--precision", "int8"]
    let depth = try folder.write(
      DepthMap(
        height: 24, width: 32, unit: .metres, values: (0..<768).map { Float($0 + 900) / 999 }
      )
      .encoded(as: .pfm), to: "d.pfm")
    for command in [["stereo"], ["effect", "mask", "--focus", "0.5"], ["export", "--fov", "60"]] {
      func precision(_ options: [String]) throws -> String? {
        let outcome = try runDepth(command + [input, "--overwrite", "--json"] + options)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let json = try JSONSerialization.jsonObject(with: Data(outcome.output))
        return (json as? [String: Any])?["precision"] as? String
      }
      #expect(try precision(integers) == "int8", "\(command)")
      #expect(try precision(["--depth", depth]) == nil, "\(command)")
    }
    for command in ["stream", "watch"] {
      let outcome = try runDepth(
        [command, "--from", "rgb24", "--size", "32x24", "--rate", "5"] + integers,
        input: photo.pixels)
      #expect(outcome.status == 0 && outcome.errors.hasSuffix(", int8\n"), "\(outcome.errors)")
    }
  }

  /// Other programs have the precision float16.
  @Test("an unknown precision is refused with the known ones") func unknownPrecisionsAreNamed() {
    let error = #expect(throws: (any Error).self) {
      try Depth.parseAsRoot(["predict", "p.jpg", "--precision", "float16"])
    }
    let text = error.map { Depth.message(for: $0) } ?? ""
    #expect(text.contains("float16") && text.contains("float32") && text.contains("int8"))
  }

  @Test("weights calibrate makes int8 possible") func calibrationMakesIntegersPossible() throws {
    let folder = try TemporaryFolder()
    let weights = GeneratedWeights(widthDivisor: 16)
    try writeHDF5(weights, attributes: weights.attributes, to: folder.path("w.h5"), version: 2)
    let refused = try runDepth([
      "predict", Self.photo, "--weights", folder.path("w.h5"), "--precision", "int8", "-o",
      folder.path("d.pfm"),
    ])
    #expect(refused.status == 1)
    #expect(
      refused.errors.contains(
        "has no activation scales, which int8 needs; 'depth weights calibrate' adds them"))
    #expect(!FileManager.default.fileExists(atPath: folder.path("d.pfm")))
    for part in ["rgb", "depth"] {
      try FileManager.default.createDirectory(
        atPath: folder.path(part), withIntermediateDirectories: true)
    }
    for name in ["living-room", "fruit-bowl", "dining-table"] {
      let bytes = try TemporaryFolder.bytes(of: packageFolder + "/Examples/\(name).jpg")
      _ = try folder.write(bytes, to: "rgb/\(name).jpg")
      try DepthMap(
        height: 48, width: 64, unit: .metres, values: [Float](repeating: 2, count: 48 * 64)
      ).write(to: URL(fileURLWithPath: folder.path("depth/\(name).pfm")))
    }
    let command = [
      "weights", "calibrate", folder.path("w.h5"), folder.path, "-o", folder.path("c.h5"),
      "--photos", "2",
    ]
    let outcome = try runDepth(command)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.text.contains("89 layers, scales of 2 photos, int8 lowers δ1 by"))
    #expect(try runDepth(["weights", "verify", folder.path("c.h5")]).status == 0)
    #expect(try runDepth(command).status == 1)  // the file exists
    let calibrated = ["--weights", folder.path("c.h5")]
    let floats = try map(calibrated + ["--precision", "float32"])
    #expect(try map(["--weights", folder.path("w.h5")]).depth == floats.depth)
    let integers = try map(calibrated + ["--precision", "int8"]).depth
    #expect(integers != floats.depth)
    let range = try #require(floats.depth.range())
    for (a, b) in zip(integers.values, floats.depth.values) {
      #expect(abs(a - b) < 0.1 * (range.high - range.low) + 0.1 * range.high)
    }
    // A second calibration also uses float32, not the precision `auto`.
    let again = try runDepth([
      "weights", "calibrate", folder.path("c.h5"), folder.path, "-o", folder.path("again.h5"),
      "--photos", "2",
    ])
    #expect(again.status == 0, "\(again.errors)")
    func loss(_ outcome: CommandLineTool.Outcome) -> Substring? {
      outcome.text.split(separator: ": ").last
    }
    #expect(loss(again) == loss(outcome))
    #expect(
      try map(["--weights", folder.path("again.h5"), "--precision", "int8"]).depth == integers)
  }
}
