import DepthEffects
import DepthImages
import Foundation
import SceneRendering
import Testing

/// A blur by exact depth resembles a ray-traced thin lens.
@Suite struct RenderedLensTests {
  @Test("lens blur is above 33 dB against a ray-traced lens", arguments: [1.6, 3.9] as [Float])
  func isCloseToAThinLens(focus: Float) throws {
    let scene = Scene.named(.poleBeforeWall)
    let camera = scene.camera(width: 160, height: 120)
    let lens = ThinLens(aperture: 0.08, focus: focus)
    let photo = Rendering(of: scene, from: camera, samples: 4, threads: 2)
    let truth = Rendering(of: scene, from: camera, lens: lens, samples: 8, threads: 2).untonedImage
    let image = photo.untonedImage
    let blurred = try image.lensBlur(
      depth: photo.depth, focus: .metres(Double(focus)),
      lens: Lens(
        .aperture(
          fNumber: 1, focalLength: 80, camera: .pixels(Double(camera.focalLength)))), threads: 2)
    func decibels(_ picture: Image) -> Double {
      let sum = zip(picture.pixels, truth.pixels).reduce(0.0) {
        $0 + pow(Double($1.0) - Double($1.1), 2)
      }
      return 10 * log10(255 * 255 * Double(truth.pixels.count) / sum)
    }
    let (before, after) = (decibels(image), decibels(blurred))
    #expect(after > before + 3, "\(before) to \(after) dB")
    #expect(after > 33)
  }
}
