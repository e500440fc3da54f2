import DepthImages
import Foundation
import MonocularDepth
import PictureFiles
import Testing
import _TestSupport

/// `--calibration`, its records, and the commands that accept the option.
@Suite struct CalibrationOptionTests {
  private static let base = ["--refine", "none"]

  private func calibrated(_ folder: TemporaryFolder, _ options: [String] = []) throws {
    let outcome = try runDepth(
      ["calibrate", livingRoom, "--at", "320,240=3m", "-o", folder.path("c.json")] + Self.base
        + options)
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  @Test("the JSON line states the applied calibration") func theLineSaysThatItWasApplied() throws {
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
    // A measured scale has no expected error.
    #expect(line["uncertainty"] is NSNull && line["expected_error"] is NSNull)
  }

  @Test(
    "a calibration of another camera is refused",
    arguments: [["--fov", "90"], ["--focal-length", "400px"]])
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
    // This option states the same camera in pixels.
    let same = try runDepth(predict + ["--focal-length", "519px"], in: folder)
    #expect(same.status == 0, "\(same.errors)")
    // Files of earlier versions do not state their camera.
    let text = #"{"format":"depth-calibration","version":1,"scale":1.5,"shift":0,"points":[]}"#
    _ = try folder.write(Array(text.utf8), to: "c.json")
    #expect(try runDepth(predict + options, in: folder).status == 0)
  }

  @Test("two distances for one pixel are refused") func aPixelHasOneDistance() throws {
    let folder = try TemporaryFolder()
    let outcome = try runDepth(
      ["calibrate", livingRoom, "-o", "c.json", "--at", "9,8=2m", "--at", "9,8=3m"], in: folder)
    #expect(outcome.status == 1)
    #expect(
      outcome.errors.hasSuffix(
        "the pixel 9,8 is given 2 times, with 2.0 m and 3.0 m, expected one distance for each pixel\n"
      ),
      "\(outcome.errors)")
  }

  /// Photos without a focal length may be from any camera. Frames are from one camera.
  @Test("a calibration for an unknown camera is noted once in a run")
  func aCalibrationOfAnUnknownCameraIsNotedOnce() throws {
    let folder = try TemporaryFolder()
    try calibrated(folder)
    for name in ["a.png", "b.png"] {
      try MadeUpPictures.photo(height: 48, width: 64, seed: 1)
        .write(to: URL(filePath: folder.path(name)))
    }
    let options = ["--calibration", "c.json", "--overwrite"] + Self.base
    let note = "has no focal length, so its camera cannot be compared with the calibrated camera"
    func errors(_ arguments: [String]) throws -> [String] {
      let outcome = try runDepth(arguments + options, in: folder)
      #expect(outcome.status == 0, "\(outcome.errors)")
      return outcome.errorLines.map(String.init)
    }
    let told = try errors(["predict", "a.png", "b.png", "--threads", "1"])
    #expect(told.count { $0.hasPrefix("depth: a.png: \(note)") } == 1, "\(told)")
    #expect(told.count { $0.contains("its metres assume an angle of view of 63°") } == 1)
    #expect(!told.contains { $0.contains("b.png: has") })
    #expect(try !errors(["predict", "a.png", "--fov", "63.3"]).contains { $0.contains(note) })
    #expect(try !errors(["predict", "a.png", "--quiet"]).contains { $0.contains(note) })
    let frames = try runDepth(
      ["stream", "--from", "rgb24", "--size", "64x48", "--calibration", "c.json"] + Self.base,
      input: [UInt8](repeating: 90, count: 64 * 48 * 3), in: folder)
    #expect(frames.status == 0 && !frames.errors.contains("focal length"), "\(frames.errors)")
  }

  /// `depth watch` does not refine its maps.
  @Test(
    "a stream notes a calibration for maps of another refinement",
    arguments: [
      ("none", "stream", 1), ("joint", "stream", 0), ("none", "watch", 0), ("joint", "watch", 1),
    ])
  func streamsNoteAnotherRefinement(refinement: String, command: String, count: Int) throws {
    let folder = try TemporaryFolder()
    let made = try runDepth(
      ["calibrate", livingRoom, "--at", "320,240=3m", "-o", "c.json", "--refine", refinement],
      in: folder)
    #expect(made.status == 0, "\(made.errors)")
    let outcome = try runDepth(
      [command, "--from", "rgb24", "--size", "64x48", "--calibration", "c.json"],
      input: [UInt8](repeating: 90, count: 64 * 48 * 3), in: folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(
      outcome.errorLines.count { $0.contains("the calibration was fitted to maps refined by") }
        == count,
      "\(outcome.errors)")
  }

  /// Effects always refine maps by the joint filter.
  @Test(
    "an effect notes a calibration for unrefined maps",
    arguments: [("joint", false), ("none", true)])
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

  @Test("stereo, export and effects are calibrated") func stereoExportAndEffectsTakeIt() throws {
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
