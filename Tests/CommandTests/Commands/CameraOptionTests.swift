import DepthImages
import Foundation
import PictureFiles
import Testing
import _TestSupport

/// `--focal-length` and `--fov`, which adapt metres to the photo's camera.
@Suite struct CameraOptionTests {
  /// An Exif block with `FocalLengthIn35mmFilm` only.
  private static func exif(equivalent: UInt8) -> [UInt8] {
    let head: [UInt8] = [0x49, 0x49, 42, 0, 8, 0, 0, 0]
    let first: [UInt8] = [1, 0, 0x69, 0x87, 4, 0, 1, 0, 0, 0, 26, 0, 0, 0, 0, 0, 0, 0]
    let second: [UInt8] = [1, 0, 0x05, 0xA4, 3, 0, 1, 0, 0, 0, equivalent, 0, 0, 0, 0, 0, 0, 0]
    return head + first + second
  }

  private struct Record: Decodable {
    let focalLengthPx: Double
    let focalLengthSource: String
    let medianM: Double
    let depthFactor: Double
    let focalExponent: Double
  }

  private func predicted(_ photo: String, _ options: [String] = []) throws -> Record {
    let folder = try TemporaryFolder()
    let outcome = try runDepth(
      ["predict", photo, "-o", folder.path("d.pfm"), "--refine", "none"]
        + ["--json", "--quiet"] + options)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try decoder.decode(Record.self, from: Data(outcome.output))
  }

  @Test("focal lengths of option and Exif scale metres") func theOptionAndExifScaleMetres() throws {
    let folder = try TemporaryFolder()
    var image = try Image(contentsOf: URL(filePath: livingRoom))
    let plain = folder.path("plain.png")
    try Data(image.encoded(as: .png)).write(to: URL(filePath: plain))
    image.metadata.exif = Self.exif(equivalent: 56)
    let tele = folder.path("tele.png")
    try Data(image.encoded(as: .png)).write(to: URL(filePath: tele))

    let assumed = try predicted(plain)
    #expect(assumed.focalLengthSource == "assumed")
    #expect(abs(assumed.focalLengthPx - 519.2) < 0.01)
    func power(_ ratio: Double) -> Double { pow(ratio, assumed.focalExponent) }
    let twice = try predicted(plain, ["--focal-length", "1038.32px"])
    #expect(twice.focalLengthSource == "option")
    #expect(abs(twice.medianM / assumed.medianM - power(2)) < 1e-5)
    let wide = try predicted(plain, ["--fov", "90"])
    #expect(abs(wide.medianM / assumed.medianM - power(320 / 519.16)) < 1e-5)
    let exif = try predicted(tele)
    #expect(exif.focalLengthSource == "exif")
    #expect(assumed.depthFactor == 1 && abs(twice.depthFactor - power(2)) < 1e-4)
    #expect(abs(exif.depthFactor - power(1.9164)) < 1e-3)
    // 56 mm are 1035 pixels. The ratio of an inexact focal length is moved toward 1 by 4 %.
    #expect(abs(exif.medianM / assumed.medianM - power(1.9164)) < 1e-3)
    let none = try predicted(tele, ["--focal-length", "none"])
    #expect(none.medianM == assumed.medianM && none.depthFactor == 1)
    #expect(none.focalLengthSource == "assumed")
    #expect(try predicted(tele, ["--focal-length", "exif"]).medianM == exif.medianM)
  }

  @Test("a bad focal length or angle of view is refused with the reason")
  func badCamerasAreRefusedInOneLine() throws {
    for (options, status, words) in [
      (["--fov", "0"], 64, "--fov is 0.0, expected 1 to 179 degrees"),
      (["--fov", "60", "--focal-length", "26mm"], 64, "expected one"),
      (["--focal-length", "26"], 64, "26"), (["--focal-length", "exif"], 1, "focal length"),
      (["--focal-length", "1e9px"], 1, "expected 0.02 to 250"),
    ] {
      let outcome = try runDepth(
        ["predict", livingRoom, "-o", "-", "--format", "pfm"] + options)
      #expect(outcome.status == status, "\(options)")
      #expect(outcome.errors.contains(words), "\(outcome.errors)")
    }
  }
}
