import DepthImages
import Foundation
import MonocularDepth
import PictureFiles
import Testing
import _TestSupport

@testable import DepthCommands

/// Hints, in one line, about results that users may not expect.
@Suite struct HintTests {
  private func run(_ arguments: [String], _ folder: TemporaryFolder) throws
    -> CommandLineTool.Outcome
  {
    try runDepth(arguments + ["--overwrite", "--quiet"], in: folder)
  }

  @Test("the share of depth beyond PNG's range is noted") func clippedDepthIsNoted() throws {
    let folder = try TemporaryFolder()
    let base = ["predict", livingRoom, "--refine", "none", "--json"]
    let far = try run(base + ["--fov", "1", "-o", "far.png"], folder)
    // The other line states the factor of this narrow view.
    #expect(far.status == 0 && far.errorLines.count == 2)
    #expect(
      far.errors.contains("46.7 % of the map is beyond 65.535 m, the largest value of a PNG file"),
      "\(far.errors)")
    #expect(far.text.contains("\"clipped\":0.4668,"))
    for (options, file) in [(["--fov", "1"], "far.pfm"), ([], "near.png")] {
      let outcome = try run(base + options + ["-o", file], folder)
      #expect(
        !outcome.errors.contains("beyond") && !outcome.text.contains("clipped"),
        "\(outcome.errors)")
    }
    // A quarter of this map from a file is beyond the range.
    let values = (0..<128 * 160).map { Float($0 % 160 < 40 ? 80 : 5) }
    let map = DepthMap(height: 128, width: 160, unit: .metres, values: values)
    try map.write(to: URL(fileURLWithPath: folder.path("part.pfm")))
    let part = try run(
      ["refine", livingRoom, "part.pfm", "-o", "part.png", "--refine", "none", "--json"], folder)
    #expect(part.errors.contains("25.0 % of the map"), "\(part.errors)")
    #expect(part.text.contains("\"clipped\":0.25"), "\(part.text)")
  }

  /// A sensor's map is as sharp as its size allows, unlike a network's map.
  @Test("the refinement of a sharp map is noted") func refiningASharpMapIsNoted() throws {
    let folder = try TemporaryFolder()
    func write(_ name: String, ramp: Int) throws {
      let values = (0..<128 * 160).map { i -> Float in
        2 + 2 * Float(min(max(i % 160 - 80, 0), ramp)) / Float(ramp)
      }
      try DepthMap(height: 128, width: 160, unit: .metres, values: values)
        .write(to: URL(fileURLWithPath: folder.path(name)))
    }
    try write("sharp.pfm", ramp: 1)
    try write("soft.pfm", ramp: 5)
    let sharp = try run(["refine", livingRoom, "sharp.pfm", "-o", "a.pfm"], folder)
    #expect(sharp.status == 0 && sharp.errorLines.count == 1)
    #expect(
      sharp.errors.contains(
        "the edges of sharp.pfm are only 1.0 of its pixels wide; --refine none"),
      "\(sharp.errors)")
    for arguments in [["sharp.pfm", "--refine", "none"], ["soft.pfm"]] {
      let outcome = try run(["refine", livingRoom] + arguments + ["-o", "b.pfm"], folder)
      #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    }
  }

  @Test("a blur with nothing in focus is noted") func aFocusOnNothingIsNoted() throws {
    let folder = try TemporaryFolder()
    try DepthMap(
      height: 480, width: 640, unit: .metres, values: (0..<480 * 640).map { $0 % 640 < 320 ? 2 : 4 }
    ).write(to: URL(fileURLWithPath: folder.path("d.pfm")))
    let common = [livingRoom, "--depth", "d.pfm"]
    let blur = try run(
      ["effect", "blur"] + common + ["--focus", "1.2m", "--aperture", "f/1.8", "--fov", "65"]
        + ["-o", "b.jpg"], folder)
    #expect(blur.status == 0 && blur.errorLines.count == 1)
    #expect(
      blur.errors.contains("nothing is in focus at 1.2 m, its depth ranges from 2.0 to 4.0 m"),
      "\(blur.errors)")
    let sharp = try run(
      ["effect", "blur"] + common + ["--focus", "2m", "-o", "b.jpg"], folder)
    #expect(sharp.status == 0 && sharp.errors.isEmpty, "\(sharp.errors)")
    let mask = try run(["effect", "mask"] + common + ["--focus", "1.2m", "-o", "m.png"], folder)
    #expect(mask.status == 1 && mask.errorLines.count == 1, "\(mask.errors)")
  }

  /// Finite weights may give absurd depth.
  @Test("a map with few values or odd distances is doubted") func oddMapsAreNoted() {
    func map(_ values: [Float]) -> DepthMap {
      DepthMap(height: 1, width: values.count, unit: .metres, values: values)
    }
    #expect(map([1, 2, 3, 0]).doubt == nil && map([70, 300, 0, 0]).doubt == nil)
    #expect(map([0, 0, 0, 1]).doubt == "75.0 % of its map has no value; are the weights right?")
    #expect(map([1e30, 1e30]).doubt?.hasPrefix("the middle of its map is at 1e+30 m") == true)
    #expect(map([1e-4]).doubt != nil)
  }

  @Test("dumb terminals get no escape sequences") func escapesNeedATerminalThatKnowsThem() throws {
    // `script` gives the program a terminal.
    for (terminal, escapes) in [("dumb", false), ("xterm", true)] {
      let folder = try BatchTests.tree()
      let command =
        "\(depthTool.path) predict p --recursive --output-dir out --refine none"
      let shell = try ExternalProgram.run(
        "script", ["-qec", command, "/dev/null"], in: folder.path, environment: ["TERM": terminal])
      #expect(shell.contains("\u{1B}[K") == escapes, "\(terminal): \(shell)")
    }
  }
}
