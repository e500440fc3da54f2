import DepthImages
import Foundation
import MonocularDepth
import PictureFiles
import Testing
import _TestSupport

@testable import DepthCommands
@testable import DepthVideo

/// Metres from relative depth on the command line, by the package's weights or `--metres`.
@Suite struct FittedMetresTests {
  private struct Files {
    let folder: TemporaryFolder

    init() throws {
      folder = try RelativeWeightsTests.Files().folder
    }

    func run(_ arguments: [String]) throws -> CommandLineTool.Outcome {
      try runDepth(arguments, in: folder)
    }

    static let weights = ["--weights", "relative.h5", "--input-size", "252"]

    func map(_ name: String) throws -> DepthMap {
      try DepthMap(contentsOf: URL(filePath: folder.path(name)))
    }
  }

  @Test("estimates and files get equal metres") func estimatesAndFilesAreFittedAlike() throws {
    let files = try Files()
    let fitted = try files.run(
      ["predict", "photo.png", "--refine", "none", "-o", "m.npy", "--json"] + Files.weights)
    #expect(fitted.status == 0, "\(fitted.errors)")
    let line = try BatchTests.objects(fitted.text)[0]
    let metres = try #require(line["metres"] as? [String: Any])
    #expect(metres["from"] as? String == "fcrn-lite2-nyu-int8.h5")
    #expect(metres["gain"] is Double && metres["shift"] is Double)
    let agreement = try #require(metres["agreement"] as? Double)
    #expect(line["median_m"] is Double && line["unit"] == nil)
    let relative = try files.run(
      ["predict", "photo.png", "--refine", "none", "-o", "r.npy", "--metres", "none", "--json"]
        + Files.weights)
    #expect(relative.status == 0, "\(relative.errors)")
    #expect(try BatchTests.objects(relative.text)[0]["metres"] == nil)
    #expect(try files.map("r.npy").unit == .relativeDisparity)
    let given = try files.run([
      "refine", "photo.png", "r.npy", "--refine", "none", "--metres", "default", "-o", "g.npy",
      "--json",
    ])
    #expect(given.status == 0, "\(given.errors)")
    #expect(try files.map("g.npy") == files.map("m.npy"))
    let own = try #require(try BatchTests.objects(given.text)[0]["metres"] as? [String: Any])
    #expect(own["agreement"] as? Double == agreement)
    // Random weights give no plausible room.
    #expect(agreement < 0.5)
    #expect(given.errors.isEmpty, "JSON has the number")
    let told = try files.run(
      ["refine", "photo.png", "r.npy", "--refine", "none", "--metres", "default", "-o", "t.npy"])
    #expect(told.errors.contains("do not trust its metres"), "\(told.errors)")
  }

  @Test("relative depth is fitted through its reciprocals") func relativeDepthIsInverted() throws {
    let files = try Files()
    let disparities = (0..<96 * 128).map { index -> Float in
      let (x, y) = (Float(index % 128), Float(index / 128))
      return 0.2 + x / 128 + y / 50
    }
    let names = ["disparity.npy", "depth.npy"]
    for (name, values) in zip(names, [disparities, disparities.map { 7 / $0 }]) {
      try DepthMap(height: 96, width: 128, unit: .metres, values: values)
        .write(to: files.folder.url(name))
    }
    for (name, unit) in zip(names, ["relative-disparity", "relative-depth"]) {
      let made = try files.run([
        "refine", "photo.png", name, "--depth-unit", unit, "--metres", "default", "--refine",
        "none", "-o", "\(unit).npy",
      ])
      #expect(made.status == 0, "\(made.errors)")
    }
    expectClose(
      try files.map("relative-depth.npy").values, try files.map("relative-disparity.npy").values,
      absolute: 0, relative: 1e-4)
    // Commands that need metres accept such a file too.
    let exported = try files.run([
      "export", "photo.png", "--depth", "depth.npy", "--depth-unit", "relative-depth", "--metres",
      "default", "-o", "room.ply",
    ])
    #expect(exported.status == 0, "\(exported.errors)")
    let refused = try files.run([
      "export", "photo.png", "--depth", "depth.npy", "--metres", "default", "-o", "other.ply",
    ])
    #expect(
      refused.status == 1 && refused.errors.contains("is in metre already, expected relative depth")
    )
  }

  @Test(
    "a picture that needs no metres ignores the fit",
    arguments: [
      ["stereo", "photo.png", "--format", "sbs"],
      ["effect", "blur", "photo.png", "--focus", "0.5", "--radius", "2%"],
    ])
  func picturesWithoutMetresStay(arguments: [String]) throws {
    let files = try Files()
    for (name, more) in [("a.png", []), ("b.png", ["--metres", "none"])] {
      let made = try files.run(arguments + ["-o", name] + more + Files.weights)
      #expect(made.status == 0, "\(made.errors)")
    }
    #expect(
      try TemporaryFolder.bytes(of: files.folder.path("a.png"))
        == TemporaryFolder.bytes(of: files.folder.path("b.png")))
  }

  @Test("commands that need metres work with relative weights") func metresAreUsed() throws {
    let files = try Files()
    for (arguments, output) in [
      (["export", "photo.png"], "room.glb"),
      (["effect", "mask", "photo.png", "--focus", "2m"], "mask.png"),
      (
        [
          "stereo", "photo.png", "--baseline", "6cm", "--screen-distance", "2m", "--fov", "60",
          "--format", "sbs",
        ], "s.png"
      ),
    ] {
      let made = try files.run(arguments + ["-o", output] + Files.weights)
      #expect(made.status == 0, "\(made.errors)")
    }
    let refused = try files.run(
      ["predict", "photo.png", "-o", "x.png", "--metres", "relative.h5"] + Files.weights)
    #expect(refused.status == 1 && refused.errors.contains("expected weights in metres"))
  }

  /// A frame's gain and shift do not change the metres. A shot's scale is smoothed until a cut.
  @Test("the scale of a shot stays steady until a cut") func framesKeepTheirMetres() throws {
    let metric = DepthMap(
      height: 48, width: 64, unit: .metres,
      values: (0..<48 * 64).map { index -> Float in
        let (x, y) = (Float(index % 64), Float(index / 64))
        return 1 + x / 40 + y / 60
      })
    func comparison(_ frame: Int, gain: Float = 1, shift: Float = 0) throws -> MetricComparison {
      let relative = DepthMap(
        height: 48, width: 64, unit: .relativeDisparity,
        values: metric.values.map { gain * (1 / $0 + Float(frame) / 100) + shift })
      // The yardstick flickers by 5 %.
      let flickering = DepthMap(
        height: 48, width: 64, unit: .metres,
        values: metric.values.map { $0 * (frame % 2 == 0 ? 1 : 1.05) })
      return try MetricComparison(relative, to: flickering, errors: nil, widening: 1)
    }
    var (plain, changed) = (SteadyMetres(), SteadyMetres())
    var medians: [Float] = []
    for frame in 0..<6 {
      let gain = Float([1, 20, 0.02, 7, 300, 0.5][frame])
      let map = plain.next(try comparison(frame), isCut: false)
      let same = changed.next(
        try comparison(frame, gain: gain, shift: gain * Float(frame - 2)), isCut: false)
      expectClose(same.values, map.values, absolute: 0, relative: 1e-4)
      medians.append(try #require(map.median()))
    }
    // The scale follows a tenth of the flicker of 5 %.
    #expect(abs(medians[1] / medians[0] - 1) < 0.006 && medians[1] != medians[0])
    let cut = plain.next(try comparison(7), isCut: true)
    let alone = try comparison(7)
    #expect(cut == alone.metres(by: alone.fit(to: alone.scale)))
  }
}
