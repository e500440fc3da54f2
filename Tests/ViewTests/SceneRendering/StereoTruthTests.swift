import DepthImages
import Testing

@testable import SceneRendering

/// In true left and right views, a point at depth `Z` moves by `f · B / Z`.
@Suite struct StereoTruthTests {
  static let baseline: Float = 0.1

  /// The agreement of a shifted view with the center view, whose pixels are moved by depth.
  struct Agreement {
    /// Root mean square difference of visible pixels, in gray levels 0…255.
    var error: Double
    var visible: Int
    var hidden: Int

    /// - Parameter shift: The offset of the other camera to the right, in metres.
    init(_ center: Rendering, _ other: Rendering, shift: Float) {
      let (width, height) = (center.camera.width, center.camera.height)
      let (from, to) = (center.image.pixels, other.image.pixels)
      var (sum, visible, hidden) = (0.0, 0, 0)
      for y in 0..<height {
        for x in 0..<width {
          let index = y * width + x
          let depth = center.depth.values[index]
          let target = Float(x) - center.camera.focalLength * shift / depth
          let left = Int(target.rounded(.down))
          guard left >= 0, left + 1 < width else { continue }
          // Both neighbors must show the same surface at nearly the same depth.
          let isVisible = [left, left + 1].allSatisfy { column in
            other.surfaces[y * width + column] == center.surfaces[index]
              && abs(other.depth.values[y * width + column] - depth) < 0.02 * depth
          }
          guard isVisible else {
            hidden += 1
            continue
          }
          visible += 1
          let share = Double(target - Float(left))
          for channel in 0..<3 {
            let a = Double(to[(y * width + left) * 3 + channel])
            let b = Double(to[(y * width + left + 1) * 3 + channel])
            let difference = a + (b - a) * share - Double(from[index * 3 + channel])
            sum += difference * difference
          }
        }
      }
      error = (sum / Double(max(visible, 1) * 3)).squareRoot()
      (self.visible, self.hidden) = (visible, hidden)
    }
  }

  @Test(
    "a shifted view agrees with the depth",
    arguments: [Scene.Name.poleBeforeWall, .slantedWall, .steps], [Float(-0.1), 0.1])
  func viewsAgreeWithDepth(name: Scene.Name, shift: Float) {
    let scene = Scene.named(name)
    let camera = scene.camera(width: 320, height: 240)
    let center = Rendering(of: scene, from: camera, samples: 3)
    let other = Rendering(of: scene, from: camera.shifted(by: shift), samples: 3)
    let right = Agreement(center, other, shift: shift)
    #expect(right.visible > 320 * 240 * 7 / 10)
    // Bilinear sampling of a textured picture costs a few gray levels. 4 levels are 36 dB.
    #expect(right.error < 4, "\(name) \(shift): \(right.error)")
    // A view for the reversed shift must disagree.
    #expect(Agreement(center, other, shift: -shift).error > 3 * right.error)
    #expect(Agreement(center, other, shift: shift / 2).error > 3 * right.error)
  }

  @Test("a pole hides a strip of wall as wide as the pole") func poleHidesAStripOfWall() {
    let scene = Scene.named(.poleBeforeWall)
    let camera = scene.camera(width: 320, height: 240)
    let center = Rendering(of: scene, from: camera, samples: 1)
    let other = Rendering(of: scene, from: camera.shifted(by: Self.baseline), samples: 1)
    let hidden = Agreement(center, other, shift: Self.baseline).hidden
    // Parallax between pole and wall is f·B·(1/1.5 − 1/4) ≈ 11 px, more than the pole's 9 px. The
    // pole then hides its width of wall in 240 rows, except for two edges.
    #expect(hidden > 7 * 240 && hidden < 14 * 240)
  }

  @Test("a shifted camera moves points by f·B/Z") func shiftedCamerasKeepTheirDirection() {
    let camera = SceneCamera(
      Viewpoint(position: [1, 1.5, -1], yaw: 0.5, pitch: -0.2, roll: 0.1), width: 320, height: 240)
    let moved = camera.shifted(by: 0.3)
    let step = moved.viewpoint.position - camera.viewpoint.position
    #expect(abs(step.length - 0.3) < 1e-6)
    #expect(moved.ray(x: 10, y: 20).direction == camera.ray(x: 10, y: 20).direction)
    // A point of one view is f·B/Z farther left in the other view.
    let point = camera.point(x: 200, y: 50, depth: 2)
    let same = moved.point(x: 200 - camera.focalLength * 0.3 / 2, y: 50, depth: 2)
    #expect((point - same).length < 1e-5)
  }

  @Test("a shifted view of a furnished room agrees with the depth") func furnishedRoomAgreesToo() {
    let scene = Scene.randomRoom(seed: 4)
    let camera = scene.camera(width: 320, height: 240)
    let center = Rendering(of: scene, from: camera, samples: 2)
    let other = Rendering(of: scene, from: camera.shifted(by: 0.063), samples: 2)
    let agreement = Agreement(center, other, shift: 0.063)
    #expect(agreement.visible > 320 * 240 * 7 / 10)
    #expect(agreement.error < 5.5, "\(agreement.error)")  // glossy floors show other reflections
  }
}
