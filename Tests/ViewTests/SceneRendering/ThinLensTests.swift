import DepthImages
import Testing

@testable import SceneRendering

/// Rays through a lens.
@Suite struct ThinLensTests {
  private static let camera = Scene.named(.steps).camera(width: 160, height: 120)
  private static let lens = ThinLens(aperture: 0.04, focus: 2)
  private static let squares: [SIMD2<Float>] = [
    [0.5, 0.5], [0, 0], [1, 0.3], [0.2, 0.9], [0.5, 1], [0.7, 0.5],
  ]

  @Test("rays of a pixel meet at the focus") func raysOfAPixelMeetInTheFocus() {
    let sharp = Self.camera.point(x: 30.5, y: 70.25, depth: 2)
    for square in Self.squares {
      let ray = Self.camera.ray(
        x: 30.5, y: 70.25, lens: Self.lens, at: Self.lens.point(at: square))
      #expect((ray.point(at: 2) - sharp).length < 1e-5)
    }
  }

  /// At depth Z, rays spread over F · A / 2 · |1/Z − 1/Zf| pixels.
  @Test("rays spread over the circle of confusion off focus", arguments: [1.0, 1.5, 4] as [Float])
  func raysSpreadOverTheCircleOfConfusion(depth: Float) {
    let radius = Self.camera.focalLength * 0.02 * abs(1 / depth - 0.5)
    for square in Self.squares {
      let point = Self.lens.point(at: square)
      #expect((point * point).sum().squareRoot() <= 0.02 + 1e-6)
      let seen = Self.camera.ray(x: 80, y: 60, lens: Self.lens, at: point).point(at: depth)
      let offset = seen - Self.camera.point(x: 80, y: 60, depth: depth)
      let pixels = offset.length / depth * Self.camera.focalLength
      #expect(pixels <= radius + 1e-3)
      // A corner of the square is mapped to the rim of the lens.
      if square == [0, 0] { #expect(abs(pixels - radius) < 1e-2) }
    }
  }

  @Test("a visible point is found in the pixel that shows the point")
  func pointsAreFoundInThePixelThatShowsThem() throws {
    for (x, y) in [(0, 0), (159, 119), (37, 81)] {
      let point = Self.camera.point(x: Float(x) + 0.5, y: Float(y) + 0.5, depth: 3)
      let pixel = try #require(Self.camera.pixel(showing: point))
      #expect(pixel == (x, y))
    }
    #expect(Self.camera.pixel(showing: Self.camera.point(x: -1, y: 5, depth: 3)) == nil)
  }

  @Test("a lens leaves depth unchanged") func depthIsThePinholesAndThreadsDoNotMatter() {
    let scene = Scene.named(.steps)
    let camera = scene.camera(width: 40, height: 30)
    let pinhole = Rendering(of: scene, from: camera, samples: 2, threads: 1)
    let views = [1, 3].map {
      Rendering(of: scene, from: camera, lens: Self.lens, samples: 3, threads: $0)
    }
    #expect(views[0].depth == pinhole.depth)
    #expect(views[0].radiance == views[1].radiance)
    #expect(views[0].radiance != pinhole.radiance)
  }
}
