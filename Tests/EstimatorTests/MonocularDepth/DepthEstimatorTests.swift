import DepthImages
import Foundation
import MonocularDepth
import PictureFiles
import SceneRendering
import Testing
import _TestSupport

@Suite struct DepthEstimatorTests {
  static func example(_ name: String) throws -> Image {
    try Image(contentsOf: URL(fileURLWithPath: packageFolder + "/Examples/\(name).jpg"))
  }

  @Test("metres in a rendered room err by less than 30 %") func metresAreAboutRight() throws {
    let scene = Scene.named(.livingRoom)
    let truth = Rendering(
      of: scene,
      from: scene.camera(
        width: PackagedMap.width, height: PackagedMap.height,
        focalLength: 525 / 640 * Float(PackagedMap.width)), samples: 1
    ).depth
    let depth = try DepthEstimator().depth(of: Self.example("living-room"), options: .unrefined)
    #expect(depth.unit == .metres)
    let errors = zip(depth.values, truth.values).map { abs($0 - $1) / $1 }
    let relative = errors.reduce(0, +) / Float(errors.count)
    #expect(relative < 0.3, "mean relative error \(relative)")
  }

  @Test("maps of portraits are upright") func mapsOfPortraitsAreUpright() throws {
    let estimator = try DepthEstimator(threads: 2)
    let landscape = try Self.example("fruit-bowl")
    let portrait = landscape.rotatedClockwise()
    for photo in [landscape, portrait] {
      let depth = try estimator.depth(of: photo, options: .unrefined)
      let sides = (PackagedMap.height, PackagedMap.width)
      #expect(
        (depth.height, depth.width) == (photo.height > photo.width ? (sides.1, sides.0) : sides))
    }
  }

  @Test("a map has equal bits on 1, 2 and 3 threads") func threadsDoNotChangeBits() throws {
    let photo = try Self.example("dining-table")
    let maps = try [1, 2, 3].map {
      try DepthEstimator(threads: $0).depth(of: photo, options: .unrefined)
    }
    #expect(maps[0] == maps[1] && maps[1] == maps[2])
  }

  @Test("six tasks with one estimator get equal maps")
  func oneEstimatorServesManyThreads() async throws {
    let estimator = try { try DepthEstimator(threads: 2) }()
    let photo = try Self.example("fruit-bowl")
    @Sendable func blocking() throws -> DepthMap {
      try estimator.depth(of: photo, options: .unrefined)
    }
    let expected = try blocking()
    try await withThrowingTaskGroup(of: DepthMap.self) { group in
      for _ in 0..<6 { group.addTask { try blocking() } }
      for try await depth in group { #expect(depth == expected) }
    }
  }
}

extension Image {
  /// The photo rotated clockwise by 90°.
  fileprivate func rotatedClockwise() -> Image {
    var turned = [UInt8](repeating: 0, count: pixels.count)
    for y in 0..<height {
      for x in 0..<width {
        for c in 0..<3 {
          turned[(x * height + height - 1 - y) * 3 + c] = pixels[(y * width + x) * 3 + c]
        }
      }
    }
    return Image(height: width, width: height, pixels: turned)
  }
}
