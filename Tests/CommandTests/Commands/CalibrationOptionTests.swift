import DepthImages
import Foundation
import MonocularDepth
import Testing
import _TestSupport

/// `--calibration`: what is written about it, whose photos it fits, and which commands take it.
@Suite struct CalibrationOptionTests {
  private static let base = ["--refine", "none"]

  private func calibrated(_ folder: TemporaryFolder, _ options: [String] = []) throws {
    let outcome = try runDepth(
      ["calibrate", livingRoom, "--at", "320,240=3m", "-o", folder.path("c.json")] + Self.base
        + options)
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  @Test func theLineSaysThatItWasApplied() throws {
    let folder = try TemporaryFolder()
    try calibrated(folder, ["--mirrored"])
    let predict = ["predict", livingRoom, "-o", "d.pfm", "--json", "--overwrite", "--mirrored"]
    let plain = try BatchTests.objects(
      runDepth(predict + Self.base, in: folder).text)[0]
    #expect(plain["calibration"] == nil && plain["uncertainty"] is Double)
    let line = try BatchTests.objects(
      runDepth(predict + Self.base + ["--calibration", "c.json"], in: folder).text)[0]
    let applied = try #require(line["calibration"] as? [String: Any])
    let file = try DepthCalibration(contentsOf: URL(fileURLWithPath: folder.path("c.json")))
    let scale = try #require(applied["scale"] as? Double)
    #expect(abs(scale / file.scale - 1) < 1e-12 && applied["shift"] as? Double == 0)
    // What is expected of a scale that was guessed says nothing of one that was measured.
    #expect(line["uncertainty"] is NSNull)
  }

  @Test(arguments: [["--fov", "90"], ["--focal-length", "400px"]])
  func anotherCameraIsRefused(options: [String]) throws {
    let folder = try TemporaryFolder()
    try calibrated(folder)
    let predict =
      ["predict", livingRoom, "-o", "d.pfm", "--overwrite", "--calibration", "c.json"] + Self.base
    let refused = try runDepth(predict + options, in: folder)
    #expect(refused.status == 1 && refused.errorLines.count == 1)
    #expect(
      refused.errors.contains("times that of the calibrated camera, expected the same"),
      "\(refused.errors)")
    // The same camera, said in another way.
    let same = try runDepth(predict + ["--focal-length", "519px"], in: folder)
    #expect(same.status == 0, "\(same.errors)")
    // Files of earlier versions do not say their camera.
    let text = #"{"format":"depth-calibration","version":1,"scale":1.5,"shift":0,"points":[]}"#
    _ = try folder.write(Array(text.utf8), to: "c.json")
    #expect(try runDepth(predict + options, in: folder).status == 0)
  }

  /// Effects refine maps by the joint filter themselves, and have no option for it.
  @Test(arguments: [("joint", false), ("none", true)])
  func effectsExpectACalibrationOfRefinedMaps(refinement: String, isNoted: Bool) throws {
    let folder = try TemporaryFolder()
    let made = try runDepth(
      [
        "calibrate", livingRoom, "--at", "320,240=3m", "-o", folder.path("c.json"), "--refine",
        refinement,
      ])
    #expect(made.status == 0, "\(made.errors)")
    let effect = try runDepth(
      [
        "effect", "haze", livingRoom, "-o", "h.jpg", "--calibration",
        "c.json",
      ], in: folder)
    #expect(effect.status == 0)
    #expect(effect.errors.contains("the calibration was fitted") == isNoted, "\(effect.errors)")
  }

  @Test func stereoExportAndEffectsTakeIt() throws {
    let folder = try TemporaryFolder()
    try calibrated(folder)
    let common = [livingRoom, "--json", "--overwrite", "--fov", "63.3"]
    func near(_ arguments: [String]) throws -> Double {
      let outcome = try runDepth(
        arguments + common + ["--manifest", "log"], in: folder)
      #expect(outcome.status == 0, "\(outcome.errors)")
      let calibration = try BatchTests.objects(outcome.text)[0]["calibration"]
      let hasOption = arguments.contains("--calibration") && arguments[0] != "effect"
      #expect((calibration != nil) == hasOption)
      return try #require(
        BatchTests.manifest("log", in: folder).last?["near_m"] as? Double)
    }
    let scale = try DepthCalibration(contentsOf: URL(fileURLWithPath: folder.path("c.json"))).scale
    for command in [
      ["stereo", "--baseline", "63mm", "--screen-distance", "3m", "-o", "s.jpg"],
      ["export", "--refine", "none", "-o", "e.ply"], ["effect", "haze", "-o", "h.jpg"],
    ] {
      let plain = try near(command)
      let corrected = try near(command + ["--calibration", "c.json"])
      #expect(abs(corrected * scale / plain - 1) < 1e-4, "\(command)")
    }
  }
}
