import DepthBase
import DepthErrors
import DepthImages
import Foundation
import MonocularDepth
import Testing
import _TestSupport

@testable import PictureFiles

/// `--confidence` and `--min-confidence`, for weights with expected errors.
@Suite struct ConfidenceOptionTests {
  /// Weights with one and with two outputs, and the expected errors of the photo.
  private struct Files {
    let folder: TemporaryFolder
    let errors: ErrorMap
    let median: Float

    init() throws {
      folder = try TemporaryFolder()
      for (name, weights) in [("two.h5", GeneratedWeights.lite2()), ("one.h5", .lite2(outputs: 1))]
      {
        try writeHDF5(weights, attributes: weights.attributes, to: folder.path(name))
      }
      let photo = try Image(contentsOf: URL(filePath: livingRoom))
      let estimate = try DepthEstimator(.file(URL(filePath: folder.path("two.h5"))))
        .estimate(of: photo, options: .unrefined)
      errors = try #require(estimate.expectedError)
      median = errors.confidence.sorted()[errors.confidence.count / 2]
    }

    func predict(_ options: [String], weights: String = "two.h5") throws -> CommandLineTool.Outcome
    {
      try runDepth(
        ["predict", livingRoom, "--weights", weights, "-o", "d.pfm", "--overwrite"] + options,
        in: folder)
    }

    func bytes(_ name: String) throws -> [UInt8] {
      Array(try Data(contentsOf: URL(filePath: folder.path(name))))
    }
  }

  @Test("confidence is equal on every instruction set")
  func packagedWeightsGiveConfidence() throws {
    let folder = try TemporaryFolder()
    let maps = try ["", "baseline"].map { set in
      let command = [
        "predict", livingRoom, "-o", "d.pfm", "--confidence", "c.pfm",
        "--refine", "none", "--overwrite", "--json",
      ]
      let outcome =
        set.isEmpty
        ? try runDepth(command, in: folder)
        : try depthTool.run(command, environment: ["DEPTH_ISA": set], in: folder.path)
      #expect(
        outcome.status == 0 && outcome.text.contains("\"precision\":\"int8\""), "\(outcome.errors)")
      return try ["d.pfm", "c.pfm"].map { try Data(contentsOf: URL(filePath: folder.path($0))) }
    }
    #expect(maps[0] == maps[1])
    let errors = try #require(
      try DepthEstimator(WeightsSelection(named: ["default"]))
        .estimate(of: Image(contentsOf: URL(filePath: livingRoom)), options: .unrefined)
        .expectedError)
    #expect(errors.values.allSatisfy { $0 > 0.01 && $0 < 1.5 })
  }

  @Test("weights without expected errors are refused before a run")
  func weightsWithoutErrorsAreRefusedFirst() throws {
    let files = try Files()
    let estimator = try DepthEstimator(.file(URL(filePath: files.folder.path("one.h5"))))
    var options = DepthOptions.unrefined
    options.minConfidence = 0.5
    let steps = Monitor<[DepthEstimator.Step]>([])
    #expect(throws: DepthError.self) {
      try estimator.estimate(
        of: Image(contentsOf: URL(filePath: livingRoom)), options: options, named: "a",
        call: CallContext(threads: 1), begin: { step in steps.update { $0.append(step) } })
    }
    #expect(steps.read(\.self) == [.resizing])
    #expect(throws: DepthError.self) { try estimator.requireErrors() }
    let both = try DepthEstimator(.file(URL(filePath: files.folder.path("two.h5"))))
    #expect(throws: Never.self) { try both.requireErrors() }
  }

  @Test("confidence is written at the size of the map") func itIsWrittenAtTheSizeOfTheMap() throws {
    let files = try Files()
    let made = try files.predict([
      "--confidence", "c.pfm", "--resolution", "60x44", "--json",
    ])
    #expect(made.status == 0, "\(made.errors)")
    #expect(made.text.contains("c.pfm"))
    let expected = files.errors.resized(height: 44, width: 60).confidence
    #expect(
      try files.bytes("c.pfm") == PFM.file(expected, height: 44, width: 60))
    // The photo's expected error is the mean of the errors.
    let mean =
      files.errors.values.reduce(0.0) { $0 + Double($1) } / Double(files.errors.values.count)
    let line = try BatchTests.objects(made.text)[0]
    let uncertainty = try #require(line["uncertainty"] as? Double)
    #expect(abs(uncertainty - mean) <= 0.5001e-4)
  }

  @Test("a picture of confidence has 16 bits") func picturesHaveSixteenBits() throws {
    let files = try Files()
    let made = try files.predict(["--confidence", "c.png", "--refine", "none"])
    #expect(made.status == 0, "\(made.errors)")
    let found = try DepthMap(
      decoding: files.bytes("c.png"), name: "c.png", unit: .normalized(near: .white))
    let expected = files.errors.confidence
    #expect(found.height == files.errors.height)
    for (one, other) in zip(found.values, expected) {
      #expect(abs(one - other) <= 0.51 / 65535 + 1e-6)
    }
  }

  @Test("pixels below the least confidence are left out") func unsurePixelsAreLeftOut() throws {
    let files = try Files()
    let made = try files.predict(["--min-confidence", "\(files.median)", "--refine", "none"])
    #expect(made.status == 0, "\(made.errors)")
    let map = try DepthMap(contentsOf: URL(filePath: files.folder.path("d.pfm")))
    #expect(
      map.values.map(map.hasValue) == files.errors.confidence.map { $0 >= files.median })
    let none = try files.predict(["--min-confidence", "1"])
    #expect(none.status == 1 && none.errorLines.count == 1)
    #expect(none.errors.contains("no pixel of its depth map has a confidence of 1.0 or more"))
  }

  @Test(
    "only MoGe-2 has a mask and a number of tokens",
    arguments: [
      (["--mask-output", "m.png"], 1, "the network has no mask of pixels without a distance"),
      (["--mask-output", "m.pfm"], 64, "m.pfm"),
      (["--tokens", "399"], 64, "--tokens is 399, expected 400 to 3600"),
      (["--tokens", "1200"], 1, "does not take a number of tokens"),
    ])
  func otherWeightsHaveNoMaskAndNoTokens(options: [String], status: Int, words: String) throws {
    let files = try Files()
    let refused = try files.predict(options)
    #expect(refused.status == status && refused.errors.contains(words), "\(refused.errors)")
    #expect(!FileManager.default.fileExists(atPath: files.folder.path("m.png")))
    #expect(!FileManager.default.fileExists(atPath: files.folder.path("d.pfm")))
  }

  @Test(
    "weights without confidence are refused",
    arguments: [["--confidence", "c.png"], ["--min-confidence", "0.5"]])
  func weightsWithoutConfidenceAreRefused(options: [String]) throws {
    let files = try Files()
    let refused = try files.predict(options, weights: "one.h5")
    #expect(refused.status == 1 && refused.errorLines.count == 1, "\(refused.errors)")
    #expect(refused.errors.contains("one.h5: the network has no output for its confidence"))
    #expect(!FileManager.default.fileExists(atPath: files.folder.path("c.png")))
    #expect(!FileManager.default.fileExists(atPath: files.folder.path("d.pfm")))
  }

  @Test(
    "wrong use of the confidence options ends with status 64",
    arguments: [
      (["--min-confidence", "1.5"], "--min-confidence is 1.5, expected 0 to 1"),
      (["--min-confidence", "150%"], "--min-confidence is 1.5, expected 0 to 1"),
      (["--confidence", "c.jpg"], "c.jpg: ends in .jpg, expected .png, .pfm"),
      (["--confidence", "d.pfm"], "two files would be written to d.pfm"),
    ])
  func wrongUsageIsOneSentence(options: [String], message: String) throws {
    let folder = try TemporaryFolder()
    let refused = try runDepth(
      ["predict", livingRoom, "-o", "d.pfm"] + options, in: folder)
    #expect(refused.status == 64 && refused.errors.contains(message), "\(refused.errors)")
  }

  @Test("a watcher is blind if no pixel is confident") func watchIsBlindWithoutConfidence() throws {
    let files = try Files()
    let clip = try Data(contentsOf: URL(filePath: livingRoom))
    func events(_ options: [String]) throws -> String {
      let outcome = try runDepth(
        [
          "watch", "--weights", "two.h5", "--near", "100m", "--enter-time", "0s", "--every-frame",
          "--quiet",
        ] + options, input: Array(clip) + Array(clip) + Array(clip), in: files.folder)
      #expect(outcome.status == 0, "\(outcome.errors)")
      return outcome.text
    }
    #expect(try !events([]).contains("BLIND"))
    #expect(try events(["--min-confidence", "1"]).contains("BLIND"))
  }

  @Test("a stream goes on if no pixel is confident") func streamsGoOnWithoutConfidence() throws {
    let files = try Files()
    let frame = Array(try Data(contentsOf: URL(filePath: livingRoom)))
    func frames(_ options: [String]) throws -> [UInt8] {
      let outcome = try runDepth(
        ["stream", "--weights", "two.h5", "--refine", "none", "--to", "16uc1", "--quiet"] + options,
        input: frame + frame + frame, in: files.folder)
      #expect(outcome.status == 0, "\(outcome.errors)")
      return Array(outcome.output)
    }
    let (all, none) = (try frames([]), try frames(["--min-confidence", "1"]))
    #expect(none.count == all.count && none != all)
  }
}
