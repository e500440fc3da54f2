import DepthImages
import Foundation
import PictureFiles
import StereoPhotos
import Testing
import ViewSynthesis
import _TestSupport

@Suite struct StereoTests {
  /// A photo and its depth, which are small so that every format is quick.
  private func scene(in folder: TemporaryFolder) throws -> (photo: String, depth: String) {
    let photo = folder.path("photo.png")
    let full = try Image(contentsOf: URL(fileURLWithPath: livingRoom))
    let (height, width) = (full.height / 4, full.width / 4)
    let pixels = (0..<height * width).flatMap { pixel -> ArraySlice<UInt8> in
      let start = (pixel / width * 4 * full.width + pixel % width * 4) * 3
      return full.pixels[start..<start + 3]
    }
    try Image(height: height, width: width, pixels: pixels).write(
      to: URL(fileURLWithPath: photo))
    let depth = folder.path("depth.pfm")
    try DepthMap(
      height: height, width: width, unit: .metres,
      values: (0..<height * width).map { $0 % width < width / 3 ? 1.5 : 4 }
    ).write(to: URL(fileURLWithPath: depth))
    return (photo, depth)
  }

  @Test(
    "every format of stereo is written",
    arguments: StereoFormat.all.filter { $0 != .spatial }.map(\.name))
  func everyFormatIsWritten(format: String) throws {
    let folder = try TemporaryFolder()
    let (photo, depth) = try scene(in: folder)
    let outcome = try runDepth([
      "stereo", photo, "--depth", depth, "--format", format, "--shift", "2%", "--json",
    ])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let json = try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any]
    let files = try #require(json?["outputs"] as? [String])
    #expect(files.count == (format == "left-right" ? 2 : 1))
    for file in files { #expect(try TemporaryFolder.bytes(of: file).count > 100, "\(file)") }
  }

  @Test("stereo refuses stereo photos") func stereoPhotosAreRefusedOrNoted() throws {
    let folder = try TemporaryFolder()
    let (photo, depth) = try scene(in: folder)
    let made = try runDepth([
      "stereo", photo, "--depth", depth, "--format", "mpo", "-o", folder.path("pair.mpo"),
    ])
    #expect(made.status == 0, "\(made.errors)")
    let again = try runDepth([
      "stereo", folder.path("pair.mpo"), "--depth", depth, "-o", folder.path("o.jpg"),
    ])
    #expect(again.status == 1)
    #expect(
      again.errors.contains("holds a stereo photo already (multi-picture), expected one view"),
      "\(again.errors)")
    let effect = try runDepth([
      "effect", "haze", folder.path("pair.mpo"), "--depth", depth, "-o", folder.path("h.jpg"),
    ])
    #expect(effect.status == 0)
    #expect(
      effect.errorLines.contains {
        $0.hasSuffix("is a stereo photo (multi-picture), but is processed as a single view")
      }, "\(effect.errors)")
  }

  /// A spatial photo has metric parallax from depth, focal length and the usual distance of eyes.
  @Test(
    "a spatial photo has the cameras of two eyes",
    .enabled(
      if: (try? HEVCPicture.requireEncoder()) != nil,
      "libheif or its encoder of HEVC is not installed"))
  func spatialPhotosHaveTheCamerasOfTwoEyes() throws {
    let folder = try TemporaryFolder()
    let (photo, depth) = try scene(in: folder)
    let output = folder.path("s.heic")
    let words = ["stereo", photo, "--depth", depth, "--format", "spatial", "-o", output]
    let unknown = try runDepth(words)
    #expect(unknown.status == 1 && unknown.errors.contains("focal length"), "\(unknown.errors)")
    #expect(!FileManager.default.fileExists(atPath: output))
    let made = try runDepth(words + ["--fov", "90"])
    #expect(made.status == 0, "\(made.errors)")
    let found = HEICItems(try TemporaryFolder.bytes(of: output))
    let cameras = [1, 2].compactMap { found.items[$0] }
    // Half of the width equals the distance of the picture plane.
    #expect(
      cameras.map { HEICItems.integers($0["cmin"]?.dropFirst(4).prefix(4) ?? []) }
        == [[1 << 19], [1 << 19]])
    #expect(
      cameras.map { HEICItems.integers($0["cmex"]?.dropFirst(4).prefix(4) ?? []) }
        == [[-31500], [31500]])
    let again = try runDepth([
      "stereo", output, "--depth", depth, "-o", folder.path("o.jpg"),
    ])
    #expect(again.errors.contains("holds a stereo photo already (two pictures)"), "\(again.errors)")
  }

  @Test("a shift of zero returns the photo") func zeroShiftReturnsThePhoto() throws {
    let folder = try TemporaryFolder()
    let (photo, depth) = try scene(in: folder)
    _ = try runDepth([
      "stereo", photo, "--depth", depth, "--format", "left-right", "--shift", "0", "-o",
      folder.path("v.png"),
    ])
    let original = try Image(contentsOf: URL(fileURLWithPath: photo))
    for eye in ["_L", "_R"] {
      let view = try Image(contentsOf: URL(fileURLWithPath: folder.path("v\(eye).png")))
      #expect(view.pixels == original.pixels)
    }
  }

  @Test("metric stereo has the library's parallax") func metricStereoHasItsParallax() throws {
    let folder = try TemporaryFolder()
    let (photo, depth) = try scene(in: folder)
    let outcome = try runDepth([
      "stereo", photo, "--depth", depth, "--baseline", "63mm", "--focal-length", "131px",
      "--screen-distance", "2.5m", "--format", "left-right", "-o", folder.path("m.png"),
    ])
    #expect(outcome.status == 0, "\(outcome.errors)")
    var options = StereoOptions()
    options.amount = .metric(
      MetricParallax(baseline: 0.063, focalLength: .pixels(131), screenDistance: 2.5))
    let pair = try Image(contentsOf: URL(filePath: photo)).stereoPair(
      depth: DepthMap(contentsOf: URL(filePath: depth)), options: options)
    let left = try Image(contentsOf: folder.url("m_L.png"))
    #expect(left.pixels == pair.left.pixels && left.pixels != pair.right.pixels)
  }

  @Test("stereo uses depth inside a photo") func depthTravelsInsideThePhoto() throws {
    let folder = try TemporaryFolder()
    _ = try runDepth([
      "predict", livingRoom, "-o", folder.path("d.pfm"), "--refine", "none", "--depth-photo",
      folder.path("dp.jpg"),
    ])
    let stereo = try runDepth([
      "stereo", folder.path("dp.jpg"), "--depth", "embedded", "-o", folder.path("s.png"),
    ])
    #expect(stereo.status == 0, "\(stereo.errors)")
    let none = try runDepth([
      "stereo", livingRoom, "--depth", "embedded", "-o", folder.path("t.png"),
    ])
    #expect(none.status == 1 && none.errorLines.count == 1)
  }

  @Test(
    "missing focal lengths and depth files are refused",
    arguments: [
      ["--baseline", "63mm", "--screen-distance", "2m"],
      ["--depth", "/nonexistent.png"],
    ])
  func refusals(arguments: [String]) throws {
    let folder = try TemporaryFolder()
    let outcome = try runDepth(
      ["stereo", livingRoom, "-o", folder.path("s.png")] + arguments)
    #expect(outcome.status == 1 && outcome.errorLines.count == 1, "\(outcome.errors)")
    #expect(!FileManager.default.fileExists(atPath: folder.path("s.png")))
  }

  @Test(
    "wrong usage of stereo ends with status 64",
    arguments: [
      ["--format", "cinerama"], ["--shift", "1%", "--baseline", "63mm", "--screen-distance", "2m"],
      ["--balance", "2"], ["--format", "gif", "-o", "a.jpg"], ["--quilt", "100x100"],
      ["--quilt", "4x3"], ["--renderer", "gather", "--dilation", "2x1"],
      ["--renderer", "shiftAndFix", "--balance", "0.3"], ["--shift", "26%"],
      ["--renderer", "gather", "--screen-distance", "2m"],
    ])
  func wrongUsageIs64(arguments: [String]) throws {
    #expect(try runDepth(["stereo", livingRoom] + arguments).status == 64)
  }
}
