import DepthImages
import Foundation
import MonocularDepth
import PictureFiles
import Testing
import _TestSupport

/// Several weights and the mirrored photo on the command line.
@Suite struct WeightsListTests {
  private let folder: TemporaryFolder
  private let files: [String]

  init() throws {
    folder = try TemporaryFolder()
    files = [folder.path("a.h5"), folder.path("b.h5")]
    for (index, file) in files.enumerated() {
      let weights = GeneratedWeights(widthDivisor: 16, seed: UInt64(index + 1))
      try writeHDF5(weights, attributes: weights.attributes, to: file, version: 2)
    }
  }

  private func line(
    _ options: [String], environment: String = ""
  ) throws -> (json: [String: Any], metadata: DepthFileMetadata) {
    let file = folder.path("depth.png")
    let outcome = try runDepth(
      ["predict", livingRoom, "--refine", "none", "--json", "--overwrite", "-o", file] + options,
      environment: ["DEPTH_WEIGHTS": environment])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let json = try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any])
    return (json, try DepthFileMetadata(contentsOf: URL(filePath: file)))
  }

  private func identifier(_ files: [String], mirrored: Bool) throws -> String {
    try DepthEstimator(
      WeightsSelection(files: files.map { URL(filePath: $0) }, averagesMirrored: mirrored)
    )
    .weightsIdentifier()
  }

  @Test("JSON and depth files name all weights used") func everyPlaceNamesAllFiles() async {
    await #expect(processExitsWith: .success) {
      let test = try WeightsListTests()
      let list = ["--weights", test.files[0], "--weights", test.files[1]]
      for (options, environment, isMirrored) in [
        (list, "", false), (list + ["--mirrored"], "", true),
        ([], test.files.joined(separator: ":"), false),
        (["--mirrored"], test.files.joined(separator: ":"), true),
      ] {
        let (json, metadata) = try test.line(options, environment: environment)
        #expect(json["weights"] as? [String] == test.files)
        #expect(json["mirrored"] as? Bool == isMirrored)
        let expected = try test.identifier(test.files, mirrored: isMirrored)
        #expect(json["weights_id"] as? String == expected && metadata.weightsIdentifier == expected)
        // None of the networks predicts errors.
        #expect(json["uncertainty"] is NSNull && json["spread"] is Double)
      }
    }
  }

  /// Each name selects its files. The mirrored photo is used only with `--mirrored`.
  @Test("a name of weights selects its files") func namesStandForTheirFiles() async {
    await #expect(processExitsWith: .success) {
      let test = try WeightsListTests()
      for (options, environment, count, isMirrored) in [
        ([], "", 1, false), (["--mirrored"], "", 1, true),
        (["--weights", "compact"], "", 1, false),
        (["--weights", "compact", "--mirrored"], "", 1, true), ([], "default", 1, false),
        ([], "compact", 1, false), ([], test.files[0], 1, false),
        (["--weights", test.files[0]], "", 1, false),
        (["--weights", "compact", "--weights", "default"], "", 2, false),
      ] as [([String], String, Int, Bool)] {
        let json = try test.line(options, environment: environment).json
        #expect((json["weights"] as? [String])?.count == count, "\(options) \(environment)")
        #expect(json["mirrored"] as? Bool == isMirrored, "\(options) \(environment)")
        let tells = count > 1 || isMirrored || !(options + [environment]).contains(test.files[0])
        #expect((json["uncertainty"] is Double) == tells, "\(options) \(environment)")
        #expect((json["uncertainty"] is NSNull) == !tells, "\(options) \(environment)")
        #expect(
          (json["spread"] is Double) == (count > 1 || isMirrored), "\(options) \(environment)")
      }
    }
  }

  @Test("errors name the bad file in a list of weights") func errorsNameTheBadFileOfAList() async {
    await #expect(processExitsWith: .success) {
      let test = try WeightsListTests()
      let text = try test.folder.write(Array("no weights".utf8), to: "text.h5")
      for (options, environment, names) in [
        (["--weights", test.files[0], "--weights", text], "", ["text.h5"]),
        (["--weights", "/no/such.h5", "--weights", test.files[0]], "", ["/no/such.h5"]),
        ([], "\(test.files[0]):\(text)", ["DEPTH_WEIGHTS", "text.h5"]),
        (["--weights", "default", "--weights", text], test.files[0], ["depth: \(text): "]),
        (
          [], [String](repeating: test.files[0], count: 17).joined(separator: ":"),
          ["DEPTH_WEIGHTS: names 17 weights, expected at most 16"]
        ),
        (
          [], [String](repeating: "default", count: 17).joined(separator: ":"),
          ["DEPTH_WEIGHTS: names 17 weights, expected at most 16"]
        ),
        ([], "\(test.files[0]):/no/such.h5", ["DEPTH_WEIGHTS=/no/such.h5: no such file"]),
        ([], "\(test.files[0])::\(test.files[1])", ["DEPTH_WEIGHTS=\(test.files[0])::"]),
      ] {
        let outcome = try runDepth(
          ["predict", livingRoom, "-o", test.folder.path("no.png")] + options,
          environment: ["DEPTH_WEIGHTS": environment])
        #expect(outcome.status == 1 && outcome.errorLines.count == 1, "\(outcome.errors)")
        for name in names { #expect(outcome.errors.contains(name), "\(outcome.errors)") }
        #expect(!FileManager.default.fileExists(atPath: test.folder.path("no.png")))
      }
    }
  }

  /// A bad frame of a data set is no fault of the weights.
  @Test("errors of other files do not name the environment")
  func errorsOfOtherFilesDoNotNameTheEnvironment() async {
    await #expect(processExitsWith: .success) {
      let test = try WeightsListTests()
      for place in ["rgb", "depth"] {
        try FileManager.default.createDirectory(
          atPath: test.folder.path("set/\(place)"), withIntermediateDirectories: true)
        for name in ["a.png", "b.png"] {
          _ = try test.folder.write(Array("no picture".utf8), to: "set/\(place)/\(name)")
        }
      }
      let outcome = try runDepth(
        ["weights", "calibrate", "default", "set", "--photos", "1", "-o", "out.h5"],
        environment: ["DEPTH_WEIGHTS": test.files[0]], in: test.folder)
      #expect(outcome.status == 1)
      #expect(outcome.errors.hasPrefix("depth: set/rgb/a.png: "), "\(outcome.errors)")
    }
  }

  @Test("a calibration is for one choice of weights and mirroring")
  func calibrationsKnowTheWholeEstimate() throws {
    let list = ["--weights", files[0], "--weights", files[1]]
    let file = folder.path("c.json")
    let made = try runDepth(
      ["calibrate", livingRoom, "--at", "320,400=2m", "--refine", "none", "-o", file] + list)
    #expect(made.status == 0, "\(made.errors)")
    let calibration = try DepthCalibration(contentsOf: URL(filePath: file))
    #expect(calibration.weightsIdentifier == (try identifier(files, mirrored: false)))
    for (options, isOther) in [(list, false), (list + ["--mirrored"], true)] {
      let outcome = try runDepth(
        ["predict", livingRoom, "--refine", "none", "--calibration", file, "-o", "-"] + options)
      #expect(outcome.status == 0)
      #expect(outcome.errors.contains("other weights") == isOther, "\(outcome.errors)")
    }
  }

  @Test("listed files are described and timed") func everyFileOfAListIsDescribedAndTimed() async {
    await #expect(processExitsWith: .success) {
      let test = try WeightsListTests()
      let environment = ["DEPTH_WEIGHTS": test.files.joined(separator: ":")]
      func objects(_ arguments: [String]) throws -> [[String: Any]] {
        let outcome = try runDepth(arguments + ["--json"], environment: environment)
        #expect(outcome.status == 0, "\(outcome.errors)")
        return try outcome.text.split(separator: "\n").map {
          try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
      }
      #expect(try objects(["weights", "info"]).map { $0["file"] as? String } == test.files)
      let times = try objects(["benchmark", "--runs", "1"])
      #expect(times.map { $0["weights"] as? String } == test.files)
      for each in times {
        let estimate = try #require(each["estimate"] as? [String: Any])
        #expect(
          estimate["weights"] as? [String] == test.files && estimate["mirrored"] as? Bool == false)
        #expect(estimate["ms_median"] is Double && estimate["ratio"] is Double)
      }
      let verified = try runDepth(["weights", "verify"], environment: environment)
      #expect(verified.status == 0 && verified.text.split(separator: "\n").count == 2)
    }
  }

  @Test("evaluate measures several weights or their ensemble")
  func evaluationsMeasureRowsOrOneEnsemble() throws {
    for part in ["rgb", "depth"] {
      try FileManager.default.createDirectory(
        atPath: folder.path("set/\(part)"), withIntermediateDirectories: true)
    }
    _ = try folder.write(TemporaryFolder.bytes(of: livingRoom), to: "set/rgb/room.jpg")
    try DepthMap(
      height: 480, width: 640, unit: .metres, values: .init(repeating: 2, count: 480 * 640)
    ).write(to: URL(filePath: folder.path("set/depth/room.pfm")))
    func rows(_ options: [String]) throws -> [String] {
      let outcome = try runDepth(
        ["evaluate", folder.path("set"), "--protocol", "per-image", "--json", "--quiet"] + options)
      #expect(outcome.status == 0, "\(outcome.errors)")
      return try outcome.text.split(separator: "\n").map {
        let json = try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
        return try #require(json?["weights"] as? String)
      }
    }
    let list = ["--weights", files[0], "--weights", files[1]]
    #expect(try rows(list) == ["a", "b"])
    #expect(try rows(list + ["--ensemble"]) == ["a+b"])
    #expect(try rows(list + ["--ensemble", "--mirrored"]) == ["a+b+mirrored"])
    #expect(try rows([]) == ["fcrn-lite2-nyu-int8 int8"])
  }
}
