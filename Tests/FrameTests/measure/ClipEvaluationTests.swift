import DepthErrors
import DepthImages
import Foundation
import PictureFiles
import Testing
import _TestSupport

@testable import measure

/// `measure clips` on a clip of three frames.
@Suite struct ClipEvaluationTests {
  private static let width = 64
  private static let height = 48

  /// - Parameter pose: The count of numbers in the last frame's pose.
  private func clip(_ folder: TemporaryFolder, pose: Int = 16, depthWidth: Int = 64) throws {
    var frames: [[String: Any]] = []
    for index in 0..<3 {
      let pixels = (0..<Self.width * Self.height * 3).map { UInt8(($0 / 3 + index * 2) & 255) }
      let photo = Image(height: Self.height, width: Self.width, pixels: pixels)
      _ = try folder.write(photo.encoded(as: .png), to: "\(index).png")
      let width = index == 2 ? depthWidth : Self.width
      let depth = DepthMap(
        height: Self.height, width: width, unit: .metres,
        values: [Float](repeating: 2, count: width * Self.height))
      try depth.write(to: URL(fileURLWithPath: folder.path("\(index).pfm")))
      let identity: [Double] = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
      frames.append([
        "photo": "\(index).png", "depth": "\(index).pfm",
        "cameraToRoom": Array(identity.prefix(index == 2 ? pose : 16)),
      ])
    }
    let description: [String: Any] = [
      "width": Self.width, "height": Self.height, "focalLength": 52.5, "rate": 30, "cuts": [Int](),
      "frames": frames,
    ]
    _ = try folder.write(
      Array(JSONSerialization.data(withJSONObject: description)), to: "clip.json")
  }

  @Test("measure clips prints a row for each filter") func printsARowForEachFilter() throws {
    let folder = try TemporaryFolder()
    try clip(folder)
    let measure = CommandLineTool("measure")
    let outcome = try measure.run(["clips", folder.path, "--json"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let rows = try outcome.lines.map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    #expect(rows.map { $0["steady"] as? String } == ["none", "exponential", "gated"])
    for row in rows {
      for key in ["rel", "delta1", "tae", "flicker"] { #expect(row[key] is Double, "\(key)") }
      #expect(row["frames"] as? Int == 3)
    }
    let table = try measure.run(["clips", folder.path, "--depth-every", "2"])
    #expect(table.lines.count == 4)
  }

  @Test("a broken clip is refused with the reason") func brokenClipsAreRefused() throws {
    let folder = try TemporaryFolder()
    func message() throws -> String {
      let error = #expect(throws: DepthError.self) {
        let clip = try ClipFolder(contentsOf: URL(fileURLWithPath: folder.path))
        _ = try clip.truth(height: 6, width: 8)
      }
      return try #require(error).description
    }
    #expect(try message().contains("clip.json: cannot be read"))
    _ = try folder.write(Array("{}".utf8), to: "clip.json")
    #expect(try message().contains("is not the JSON of a clip"))
    try clip(folder, pose: 12)
    #expect(try message().contains("the pose of 2.png is not 16 numbers"))
    try clip(folder, depthWidth: 32)
    #expect(try message().contains("2.pfm: is 32×48, expected 64×48"))
  }
}
