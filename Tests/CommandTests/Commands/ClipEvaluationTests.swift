import DepthImages
import Foundation
import PictureFiles
import Testing
import _TestSupport

/// `depth evaluate --clip` on a clip of three frames.
@Suite struct ClipEvaluationTests {
  private static let width = 64
  private static let height = 48

  /// - Parameter pose: The numbers of the last frame's pose.
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

  @Test func printsARowForEachFilter() throws {
    let folder = try TemporaryFolder()
    try clip(folder)
    let outcome = try runDepth([
      "evaluate", folder.path, "--clip", "--json",
    ])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let rows = try outcome.text.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    #expect(rows.map { $0["steady"] as? String } == ["none", "exponential", "gated"])
    for row in rows {
      for key in ["rel", "delta1", "tae", "flicker"] { #expect(row[key] is Double, "\(key)") }
      #expect(row["frames"] as? Int == 3)
    }
    let table = try runDepth([
      "evaluate", folder.path, "--clip",
    ])
    #expect(table.text.split(separator: "\n").count == 4)
  }

  @Test(arguments: [
    ["--refine", "joint"], ["--protocol", "eigen"], ["--csv", "-"], ["--median-scaling"],
    ["--predictions", "."], ["--depth-scale", "1000"], ["--every", "2"],
  ])
  func optionsForPhotosAreRefused(arguments: [String]) throws {
    let outcome = try runDepth(["evaluate", ".", "--clip"] + arguments)
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains("\(arguments[0]) has no effect with --clip"))
  }

  @Test func brokenClipsAreRefused() throws {
    let folder = try TemporaryFolder()
    func error() throws -> String {
      let outcome = try runDepth([
        "evaluate", folder.path, "--clip",
      ])
      #expect(outcome.status == 1 && outcome.errorLines.count == 1)
      return outcome.errors
    }
    #expect(try error().contains("clip.json: cannot be read"))
    _ = try folder.write(Array("{}".utf8), to: "clip.json")
    #expect(try error().contains("is not the JSON of a clip"))
    try clip(folder, pose: 12)
    #expect(try error().contains("the pose of 2.png is not 16 numbers"))
    try clip(folder, depthWidth: 32)
    #expect(try error().contains("2.pfm: is 32×48, expected 64×48"))
  }
}
