import DepthImages
import Foundation
import HDF5Files
import PictureFiles
import Testing
import _TestSupport

/// Faults of files and system end in one line, with exit status 1 and without a file.
@Suite struct BadInputTests {
  /// Expects one line that names the file, and no output.
  private func expectRefusal(
    _ outcome: CommandLineTool.Outcome, naming name: String, output: String? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(!outcome.wasKilled, "\(name)", sourceLocation: sourceLocation)
    #expect(outcome.status == 1, "\(name): \(outcome.errors)", sourceLocation: sourceLocation)
    #expect(outcome.errorLines.count == 1, "\(outcome.errors)", sourceLocation: sourceLocation)
    #expect(
      outcome.errors.hasPrefix("depth: ") && outcome.errors.contains(name),
      "\(outcome.errors)", sourceLocation: sourceLocation)
    if let output {
      #expect(
        !FileManager.default.fileExists(atPath: output), "\(name)",
        sourceLocation: sourceLocation)
    }
  }

  static let photos: [(name: String, bytes: [UInt8])] = {
    let jpeg = (try? TemporaryFolder.bytes(of: livingRoom)) ?? []
    var huge = jpeg
    // Height and width in the frame header become 30 000. The data is cut off after the header.
    if let start = jpeg.indices.dropLast(8).first(where: {
      jpeg[$0] == 0xFF && jpeg[$0 + 1] == 0xC0
    }) {
      huge.replaceSubrange(start + 5..<start + 9, with: [0x75, 0x30, 0x75, 0x30])
      huge = Array(huge[..<min(start + 400, huge.count)])
    }
    let noWidth: [UInt8] =
      [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]
      + [0, 0, 0, 0, 0, 0, 0, 5, 8, 2, 0, 0, 0, 0xEF, 0x9D, 0x33, 0x5B]
    return [
      ("empty.jpg", []), ("text.jpg", Array("not a photo\n".utf8)),
      ("half.jpg", Array(jpeg[..<(jpeg.count / 2)])), ("huge.jpg", huge),
      ("nowidth.png", noWidth),
    ]
  }()

  @Test("a bad photo ends in one line with its name", arguments: photos.indices)
  func badPhotos(index: Int) throws {
    let (name, bytes) = Self.photos[index]
    let folder = try TemporaryFolder()
    let photo = try folder.write(bytes, to: name)
    let output = folder.path("out.png")
    // With two threads a photo is decoded while the weights are loaded.
    let outcomes = try ["1", "2"].map {
      try runDepth(["predict", photo, "-o", output, "--threads", $0])
    }
    expectRefusal(outcomes[0], naming: name, output: output)
    #expect(outcomes[1].errors == outcomes[0].errors && outcomes[1].status == outcomes[0].status)
    let missing = try runDepth([
      "predict", photo, "-o", output, "--threads", "2", "--weights", folder.path("no.h5"),
    ])
    expectRefusal(missing, naming: "no.h5", output: output)
  }

  @Test("a missing photo and a folder without photos are refused by name")
  func missingPhotoAndFolder() throws {
    let folder = try TemporaryFolder()
    let output = folder.path("out.png")
    expectRefusal(
      try runDepth(["predict", folder.path("no.jpg"), "-o", output]), naming: "no.jpg",
      output: output)
    expectRefusal(
      try runDepth(["predict", folder.path, "-o", output]), naming: folder.path,
      output: output)
  }

  @Test("a photo of one pixel is estimated") func onePixelIsAPhoto() throws {
    let folder = try TemporaryFolder()
    let jpeg = folder.path("one.png")
    try Image(height: 1, width: 1, pixels: [10, 20, 30]).write(to: URL(fileURLWithPath: jpeg))
    let outcome = try runDepth(["predict", jpeg, "-o", folder.path("d.pfm")])
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  @Test("an output that cannot be written ends in one line") func unwritablePlaces() throws {
    let folder = try TemporaryFolder()
    let missing = folder.path("no/such/out.png")
    expectRefusal(try runDepth(["predict", livingRoom, "-o", missing]), naming: "out.png")
    if FileManager.default.fileExists(atPath: "/dev/full") {
      let full = try depthTool.run(
        ["predict", livingRoom, "-o", "-", "--format", "pfm", "--quiet"],
        outputFile: "/dev/full")
      #expect(full.status == 75 && full.errorLines.count == 1 && !full.wasKilled)
      #expect(full.errors.contains("no space left"), "\(full.errors)")
    }
  }

  static let weights = GeneratedWeights(widthDivisor: 16)

  /// Runs a prediction with broken weights.
  private func predict(with weights: String, in folder: TemporaryFolder) throws
    -> CommandLineTool.Outcome
  {
    try runDepth(
      ["predict", livingRoom, "--weights", weights, "-o", folder.path("out.png")])
  }

  @Test("an unusable file of weights is refused by name") func unusableWeightFiles() throws {
    let folder = try TemporaryFolder()
    let output = folder.path("out.png")
    expectRefusal(
      try predict(with: folder.path("none.h5"), in: folder), naming: "none.h5", output: output)
    expectRefusal(
      try predict(with: folder.write(Array("hello".utf8), to: "text.h5"), in: folder),
      naming: "text.h5", output: output)
    expectRefusal(
      try predict(with: livingRoom, in: folder), naming: "living-room.jpg", output: output)
  }

  @Test(
    "wrong weights are refused with the tensor or attribute at fault",
    arguments: [
      ("missing tensor", "res3b_branch2b/kernel"), ("extra tensor", "layer9/kernel"),
      ("transposed tensor", "res4c_branch2a/kernel"), ("NaN", "layer8x_Conv/kernel"),
      ("architecture", "architecture"), ("negative variance", "bn3c_branch2a/variance"),
    ])
  func wrongWeights(fault: String, name: String) throws {
    let folder = try TemporaryFolder()
    var weights = EditedWeights(Self.weights)
    var attributes = Self.weights.attributes
    switch fault {
    case "missing tensor": weights.removedTensors = [name]
    case "extra tensor": weights.tensors[name] = .init(shape: [2, 2], elements: [1, 2, 3, 4])
    case "transposed tensor":
      let shape = try #require(Self.weights.shapes[name])
      weights.tensors[name] = .init(
        shape: [shape[1], shape[0], shape[2], shape[3]],
        elements: try weights.elements(of: name))
    case "NaN", "negative variance":
      var elements = try weights.elements(of: name)
      elements[elements.count / 2] = fault == "NaN" ? .nan : -5
      weights.tensors[name] = .init(
        shape: try #require(Self.weights.shapes[name]), elements: elements)
    default: attributes[name] = .text("vgg16-upconv")
    }
    let path = folder.path("w.h5")
    try writeHDF5(weights, attributes: attributes, to: path)
    let outcome = try predict(with: path, in: folder)
    expectRefusal(outcome, naming: "w.h5", output: folder.path("out.png"))
    #expect(outcome.errors.contains(name), "\(outcome.errors)")
    #expect(try runDepth(["weights", "verify", path]).status == 1)
  }

  @Test("good weights pass verify and are described by info") func goodWeightsAreWhole() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("w.h5")
    try writeHDF5(Self.weights, attributes: Self.weights.attributes, to: path)
    let outcome = try runDepth(["weights", "verify", path, "default"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.text.split(separator: "\n").count == 2)
    let info = try runDepth(["weights", "info", path])
    #expect(info.text.contains("fcrn-resnet50-upproj") && info.text.contains("256865"))
  }

  @Test("memory is flat in 1000 predictions", .enabled(if: SlowTests.areWanted, SlowTests.absence))
  func memoryIsFlatOverAThousandPredictions() throws {
    let (few, many) = (try peakMemory(runs: 20), try peakMemory(runs: 1000))
    #expect(many < few + 2, "\(few) MB after 20 predictions, \(many) MB after 1000")
  }

  @Test("reported peak memory is the program's own") func peakMemoryIsTheProgramsOwn() throws {
    let held = [UInt8](repeating: 1, count: 400 << 20)
    #expect(try peakMemory(runs: 1) < 300)
    #expect(held[held.count / 2] == 1)
  }

  /// Peak memory of a benchmark, in MB.
  private func peakMemory(runs: Int) throws -> Double {
    let outcome = try depthTool.run([
      "benchmark", "--runs", "\(runs)", "--size", "96x64", "--json",
      "--threads", "2",
    ])
    let json = try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any]
    return try #require(json?["peak_rss_mb"] as? Double)
  }
}
