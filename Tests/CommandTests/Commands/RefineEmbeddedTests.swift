import DepthImages
import Foundation
import PictureFiles
import Testing
import _TestSupport

/// `depth refine PHOTO embedded`, and how `--detail` is read.
@Suite struct RefineEmbeddedTests {
  private let livingRoom = PackageFile.path("Examples/living-room.jpg")

  @Test func theDepthInsideAPhotoIsRefinedAsAFileWouldBe() throws {
    let folder = try TemporaryFolder()
    let predicted = try depthTool.run([
      "predict", livingRoom, "-o", folder.path("d.pfm"), "--refine", "none", "--depth-photo",
      folder.path("dp.jpg"),
    ])
    #expect(predicted.status == 0, "\(predicted.errors)")
    let refined = try depthTool.run([
      "refine", folder.path("dp.jpg"), "embedded", "-o", folder.path("r.pfm"),
    ])
    #expect(refined.status == 0, "\(refined.errors)")
    let file = try depthTool.run([
      "refine", folder.path("dp.jpg"), folder.path("d.pfm"), "--stretch", "-o",
      folder.path("f.pfm"),
    ])
    #expect(file.status == 0, "\(file.errors)")
    let (own, other) = (
      try DepthMap(contentsOf: URL(fileURLWithPath: folder.path("r.pfm"))),
      try DepthMap(contentsOf: URL(fileURLWithPath: folder.path("f.pfm")))
    )
    #expect((own.height, own.width) == (480, 640))
    // A photo holds its depth in steps.
    let difference = zip(own.values, other.values).map { abs($0 - $1) }.reduce(0, +)
    #expect(difference / Float(own.values.count) < 0.02)
  }

  @Test func aPhotoWithoutDepthIsOneLine() throws {
    let folder = try TemporaryFolder()
    let outcome = try depthTool.run([
      "refine", livingRoom, "embedded", "-o", folder.path("r.pfm"),
    ])
    #expect(outcome.status == 1 && outcome.errorLines.count == 1, "\(outcome.errors)")
  }

  @Test(arguments: ["-0.1", "1.5", "much"])
  func detailIsBetween0And1(detail: String) throws {
    let outcome = try depthTool.run(["predict", livingRoom, "--detail=\(detail)"])
    #expect(outcome.status == 64)
  }
}
