import ArgumentParser
import DepthImages
import Foundation
import PictureFiles
import Testing
import WeightsFiles
import _TestSupport

@testable import DepthCommands

let depthTool = CommandLineTool("depth")
let livingRoom = packageFolder + "/Examples/living-room.jpg"

@Suite struct PredictTests {
  @Test("predict writes metres and a picture") func photoBecomesMetresAndAPicture() throws {
    let folder = try TemporaryFolder()
    let outcome = try runDepth([
      "predict", livingRoom, "-o", folder.path("d.png"), "--view", folder.path("v.png"),
      "--color-map", "turbo", "--json", "--refine", "none",
    ])
    #expect(outcome.status == 0)
    #expect(outcome.errors == "")
    let json = try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any])
    #expect(json["input"] as? String == livingRoom)
    #expect(json["width"] as? Int == PackagedMap.width)
    #expect(json["height"] as? Int == PackagedMap.height)
    #expect((json["outputs"] as? [String])?.count == 2)
    let times = try #require(json["milliseconds"] as? [String: Double])
    #expect(
      Set(times.keys) == ["load", "decode", "resize", "network", "refine", "encode", "total"])
    let near = try #require(json["near_m"] as? Double)
    let far = try #require(json["far_m"] as? Double)
    #expect(near > 0.5 && near < far && far < 12)

    let depth = try DepthMap(contentsOf: URL(fileURLWithPath: folder.path("d.png")))
    #expect(depth.unit == .metres)
    #expect(depth.height == PackagedMap.height && depth.width == PackagedMap.width)
    let metadata = try DepthFileMetadata(
      contentsOf: URL(fileURLWithPath: folder.path("d.png")))
    #expect(metadata.weightsIdentifier == PackagedWeights.digest + "+int8")
    let picture = try Image(contentsOf: URL(fileURLWithPath: folder.path("v.png")))
    #expect(picture.width == 640 && picture.height == 480)
  }

  @Test("the floor has smaller depth than the wall behind") func largerDepthIsFarther() throws {
    let outcome = try runDepth([
      "predict", livingRoom, "-o", "-", "--format", "npy", "--refine", "none",
    ])
    let depth = try DepthMap(decoding: outcome.output, name: "stdout")
    func mean(rows: Range<Int>, columns: Range<Int>) -> Float {
      let values = rows.flatMap { y in columns.map { depth.values[y * depth.width + $0] } }
      return values.reduce(0, +) / Float(values.count)
    }
    let floor = mean(rows: 177..<192, columns: 60..<180)
    let wall = mean(rows: 60..<90, columns: 90..<165)
    #expect(floor > 1 && floor < 4, "the floor in front is 1.9 m away, found \(floor)")
    #expect(wall > 4 && wall < 9, "the back wall is 6.8 m away, found \(wall)")
  }

  @Test("depth does not depend on threads or runs")
  func bitsDoNotDependOnThreadsOrRepetition() throws {
    let outputs = try ["1", "2", "4", "2"].map { threads in
      try runDepth(
        ["predict", livingRoom, "-o", "-", "--format", "pfm", "--threads", threads]
      ).output
    }
    #expect(outputs[0].count > 80_000)
    #expect(outputs.allSatisfy { $0 == outputs[0] })
  }

  @Test("a refined map has the photo's size", arguments: ["joint", "bilateral", "gaussian"])
  func refinedMapsHaveThePhotosSize(method: String) throws {
    let folder = try TemporaryFolder()
    let arguments = ["predict", livingRoom, "-o", folder.path("d.pfm")]
    #expect(
      try runDepth(arguments + (method == "joint" ? [] : ["--refine", method])).status == 0)
    let refined = try DepthMap(contentsOf: URL(fileURLWithPath: folder.path("d.pfm")))
    #expect(refined.width == 640 && refined.height == 480)
    _ = try runDepth([
      "predict", livingRoom, "-o", folder.path("n.pfm"), "--refine", "none", "--resolution",
      "640x480",
    ])
    let plain = try DepthMap(contentsOf: URL(fileURLWithPath: folder.path("n.pfm")))
    let difference = zip(refined.values, plain.values).reduce(0) { $0 + abs($1.0 - $1.1) }
    #expect(difference > 0 && difference / Float(plain.values.count) < 0.3)
  }

  @Test("depth of another shape needs --stretch to be refined") func depthFilesAreRefined() throws {
    let folder = try TemporaryFolder()
    _ = try runDepth([
      "predict", livingRoom, "-o", folder.path("small.png"), "--refine", "none",
    ])
    // A map whose shape is neither the photo's nor the network's.
    try DepthMap(height: 10, width: 30, unit: .metres, values: .init(repeating: 2, count: 300))
      .write(to: URL(fileURLWithPath: folder.path("other.png")))
    let refused = try runDepth([
      "refine", livingRoom, folder.path("other.png"), "-o", folder.path("large.png"),
    ])
    #expect(refused.status == 1 && refused.errorLines.count == 1)
    #expect(refused.errors.contains("30×10") && refused.errors.contains("640×480"))
    let outcome = try depthTool.run([
      "refine", livingRoom, folder.path("other.png"), "-o", folder.path("large.png"), "--stretch",
    ])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let large = try DepthMap(contentsOf: URL(fileURLWithPath: folder.path("large.png")))
    #expect(large.width == 640 && large.unit == .metres)
  }

  @Test("disparity is reported as distance in metres") func disparityIsReportedAsDistance() throws {
    let folder = try TemporaryFolder()
    let map = DepthMap(
      height: 48, width: 64, unit: .disparity,
      values: (0..<48 * 64).map { $0 % 64 < 32 ? 0.25 : 0.5 })
    try map.write(to: URL(fileURLWithPath: folder.path("d.png")))
    let outcome = try runDepth([
      "refine", livingRoom, folder.path("d.png"), "-o", folder.path("large.png"), "--json",
    ])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let json = try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.text.utf8)) as? [String: Any])
    #expect(abs((json["near_m"] as? Double ?? 0) - 2) < 0.01)
    #expect(abs((json["far_m"] as? Double ?? 0) - 4) < 0.01)
  }

  @Test("two outputs of one name are refused") func twoFilesOfOneNameAreRefused() throws {
    let folder = try TemporaryFolder()
    for arguments in [
      [livingRoom, "-o", folder.path("a.png"), "--view", folder.path("a.png"), "--overwrite"],
      ["a/x.jpg", "b/x.jpg", "--view", folder.path + "/"],
    ] {
      let outcome = try runDepth(["predict"] + arguments)
      #expect(outcome.status == 64)
      #expect(outcome.errors.contains("two files would be written to"))
    }
  }

  @Test("other photos are predicted if one is absent") func otherPhotosArePredicted() throws {
    let folder = try TemporaryFolder()
    let photos = ["living-room", "dining-table", "fruit-bowl"]
    let outcome = try runDepth(
      ["predict"] + photos.map { packageFolder + "/Examples/\($0).jpg" } + [
        folder.path("missing.jpg"), "--output-dir", folder.path, "--format", "pfm",
        "--view", folder.path + "/",
      ])
    #expect(outcome.status == 1)
    #expect(outcome.errorLines.count { $0.contains("missing.jpg") } == 1)
    #expect(outcome.errorLines.last?.hasPrefix("depth: 3 of 4 photos done, 1 failed") == true)
    for photo in photos {
      let depth = try DepthMap(
        contentsOf: URL(fileURLWithPath: folder.path("\(photo)_depth.pfm")))
      #expect(depth.range()?.low ?? 0 > 0.3)
      #expect(FileManager.default.fileExists(atPath: folder.path("\(photo)_view.png")))
    }
  }

  @Test("an existing file is kept without --overwrite")
  func existingFilesAreKeptUnlessToldOtherwise() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write([1, 2, 3], to: "d.png")
    let refused = try runDepth(["predict", livingRoom, "-o", file])
    #expect(refused.status == 1)
    #expect(try TemporaryFolder.bytes(of: file) == [1, 2, 3])
    #expect(try runDepth(["predict", livingRoom, "-o", file, "--overwrite"]).status == 0)
    #expect(try TemporaryFolder.bytes(of: file).count > 1000)
  }

  @Test("the photo may come from standard input") func standardInputIsAPhoto() throws {
    let bytes = try TemporaryFolder.bytes(of: livingRoom)
    let piped = try depthTool.run(["predict", "-", "--format", "npy"], input: bytes)
    let named = try runDepth(["predict", livingRoom, "-o", "-", "--format", "npy"])
    #expect(piped.status == 0 && piped.output == named.output && !piped.output.isEmpty)
  }

  @Test(
    "wrong usage ends with status 64 and no output",
    arguments: [
      ["predict"], ["predict", "a.jpg", "b.jpg", "-o", "c.png"],
      ["predict", "a.jpg", "-o", "c.tiff"],
      ["predict", "a.jpg", "--threads", "0"], ["predict", "a.jpg", "--color-map", "pink"],
      ["predict", "-", "--json"], ["predict", "-", "-"], ["predict", "a.jpg", "--no-such-option"],
      ["predict", "x/a.jpg", "y/a.jpg", "--output-dir", "out"], ["benchmark", "--size", "0x10"],
      ["sharpen", "a.jpg"],
    ])
  func wrongUsageIs64(arguments: [String]) throws {
    let outcome = try runDepth(arguments)
    #expect(outcome.status == 64, "\(outcome.errors)")
    #expect(!outcome.wasKilled && outcome.output.isEmpty && !outcome.errors.isEmpty)
  }

  @Test("help names each command") func helpNamesEveryCommand() throws {
    let help = try runDepth(["--help"])
    #expect(help.status == 0)
    let commands = Depth.configuration.subcommands.map { $0.configuration.commandName ?? "" }
    #expect(commands.count == 13)
    for command in commands {
      #expect(help.text.contains("\n  \(command) "), "\(command)")
      let own = try runDepth([command, "--help"])
      #expect(own.status == 0 && own.text.contains("USAGE: depth \(command) "), "\(command)")
    }
    #expect(try depthTool.run(["--version"]).text.hasPrefix("swift-depth "))
    let built = try CommandRun.heard { DepthProgram.run(["--version"], revision: "88ac74cb") }
    #expect(built.text == "\(Version.text) (88ac74cb)\n")
  }
}
