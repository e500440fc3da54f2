import DepthImages
import Foundation
import PictureFiles
import Testing
import _TestSupport

/// `depth refine PHOTO embedded`, and the values of `--detail`.
@Suite struct RefineEmbeddedTests {
  private let livingRoom = PackageFile.path("Examples/living-room.jpg")

  @Test("depth inside a photo is refined like a depth file")
  func theDepthInsideAPhotoIsRefinedAsAFileWouldBe() throws {
    let folder = try TemporaryFolder()
    let predicted = try runDepth([
      "predict", livingRoom, "-o", folder.path("d.pfm"), "--refine", "none", "--depth-photo",
      folder.path("dp.jpg"),
    ])
    #expect(predicted.status == 0, "\(predicted.errors)")
    let refined = try runDepth([
      "refine", folder.path("dp.jpg"), "embedded", "-o", folder.path("r.pfm"),
    ])
    #expect(refined.status == 0, "\(refined.errors)")
    let file = try runDepth([
      "refine", folder.path("dp.jpg"), folder.path("d.pfm"), "--stretch", "-o",
      folder.path("f.pfm"),
    ])
    #expect(file.status == 0, "\(file.errors)")
    let (own, other) = (
      try DepthMap(contentsOf: URL(fileURLWithPath: folder.path("r.pfm"))),
      try DepthMap(contentsOf: URL(fileURLWithPath: folder.path("f.pfm")))
    )
    #expect((own.height, own.width) == (480, 640))
    // A photo stores depth in steps.
    let difference = zip(own.values, other.values).map { abs($0 - $1) }.reduce(0, +)
    #expect(difference / Float(own.values.count) < 0.02)
  }

  /// Phones store disparity, a unit that only PNG can state.
  @Test("disparity becomes metres in formats that cannot state disparity")
  func disparityBecomesDistancesInFormatsWithoutAMark() throws {
    let folder = try TemporaryFolder()
    let disparity = DepthMap(
      height: 480, width: 640, unit: .disparity,
      values: (0..<480 * 640).map { 0.25 + Float($0 % 640) / 640 })
    try disparity.write(to: URL(fileURLWithPath: folder.path("in.png")))
    for name in ["out.npy", "out.png"] {
      let outcome = try runDepth([
        "refine", livingRoom, folder.path("in.png"), "-o", folder.path(name), "--refine", "none",
      ])
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
    let metres = try DepthMap(contentsOf: URL(fileURLWithPath: folder.path("out.npy")))
    let marked = try DepthMap(contentsOf: URL(fileURLWithPath: folder.path("out.png")))
    #expect(metres.unit == .metres && marked.unit == .disparity)
    #expect(zip(metres.values, disparity.values).allSatisfy { abs($0 * $1 - 1) < 1e-3 })
  }

  @Test("a photo without depth inside ends in one line") func aPhotoWithoutDepthIsOneLine() throws {
    let folder = try TemporaryFolder()
    let outcome = try runDepth([
      "refine", livingRoom, "embedded", "-o", folder.path("r.pfm"),
    ])
    #expect(outcome.status == 1 && outcome.errorLines.count == 1, "\(outcome.errors)")
  }

  @Test("a detail outside 0 to 1 is refused", arguments: ["-0.1", "1.5", "much"])
  func detailIsBetween0And1(detail: String) throws {
    let outcome = try runDepth(["predict", livingRoom, "--detail=\(detail)"])
    #expect(outcome.status == 64)
  }
}
