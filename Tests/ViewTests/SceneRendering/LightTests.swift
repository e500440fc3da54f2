import Testing

@testable import SceneRendering

@Suite struct LightTests {
  @Test("irradiance follows the cosine and the squared distance")
  func irradianceFollowsCosineAndDistance() {
    let scene = ExactDepthTests.room()
    // A lamp of power 3 at (0, 2.8, 0) shines all around. 0.04 m² limits the light close to it.
    for x in [Float(0), 0.5, 1, 2.5] {
      let squared = x * x + 2.8 * 2.8
      let cosine = 2.8 / squared.squareRoot()
      let expected = 3 * cosine / squared
      let found = scene.irradiance(at: [x, 0, 0], normal: [0, 1, 0], sample: nil).x
      #expect(abs(found / expected - 1) < 0.012, "x = \(x)")
    }
    #expect(scene.irradiance(at: [0, 0, 0], normal: [0, -1, 0], sample: nil) == .zero)
  }

  @Test("only solids with castsShadow cast a shadow") func solidsCastShadowsUnlessToldNotTo() {
    var shade = Solid.box(ExactDepthTests.gray, center: [0, 1.5, 0], size: [1, 0.1, 1])
    let dark = ExactDepthTests.room([shade])
    #expect(dark.irradiance(at: [0, 0, 0], normal: [0, 1, 0], sample: nil) == .zero)
    #expect(dark.irradiance(at: [2, 0, 0], normal: [0, 1, 0], sample: nil).x > 0)
    shade.castsShadow = false
    let lit = ExactDepthTests.room([shade])
    #expect(lit.irradiance(at: [0, 0, 0], normal: [0, 1, 0], sample: nil).x > 0)
  }

  @Test("a window shines to one side only") func windowsShineOneWay() {
    let window = Light(
      center: [0, 1.5, 0], halfU: [0.5, 0, 0], halfV: [0, 0.5, 0], facing: [0, 0, -1],
      power: [2, 2, 2])
    let room = ExactDepthTests.room()
    let gray = ExactDepthTests.gray
    let scene = Scene(
      size: room.size,
      surroundings: .init(floor: gray, ceiling: gray, walls: [gray, gray, gray, gray]),
      solids: [], lights: [window], viewpoint: room.viewpoint)
    let before = scene.irradiance(at: [0, 1.5, -2], normal: [0, 0, 1], sample: nil).x
    #expect(abs(before - 2 / 4.04) < 0.02)
    #expect(scene.irradiance(at: [0, 1.5, 2], normal: [0, 0, -1], sample: nil) == .zero)
    // The point is behind the window and turned away, so two negative cosines have a positive
    // product.
    #expect(scene.irradiance(at: [0, 1.5, 2], normal: [0, 0, 1], sample: nil) == .zero)
  }

  @Test("floor below a slab has less indirect light") func cornersAreDarkerThanOpenFloor() {
    // A low slab hides most of the room from the floor below the slab.
    let slab = Solid.box(Material([0, 0, 0]), center: [2, 0.2, 2], size: [1.5, 0.02, 1.5])
    let scene = ExactDepthTests.room([slab])
    func indirect(_ x: Float, _ z: Float) -> Float {
      (0..<Scene.directionSamples).reduce(0) {
        $0 + scene.indirectIrradiance(at: [x, 0, z], normal: [0, 1, 0], sample: $1).x
      } / Float(Scene.directionSamples)
    }
    #expect(indirect(2, 2) < 0.4 * indirect(-1, -1))
  }

  @Test("a filtered pulse is the pulse's mean over a width", arguments: [Float(0.01), 0.3, 1, 2.7])
  func filteredPulseIsABoxFilter(width: Float) {
    for x in stride(from: Float(-2), through: 2, by: 0.137) {
      let count = 4000
      let inside = (0..<count).filter { k in
        let p = Double(x) + (Double(k) + 0.5) / Double(count) * Double(width) - Double(width) / 2
        return p - p.rounded(.down) < 0.3
      }
      let expected = Float(inside.count) / Float(count)
      #expect(abs(filteredPulse(x, duty: 0.3, width: width) - expected) < 0.01)
    }
  }

  @Test("a texture is in bounds and fades with distance", arguments: Texture.Pattern.allCases)
  func texturesStayWithinReasonAndFadeWithDistance(pattern: Texture.Pattern) {
    let texture = Texture(pattern, [0.8, 0.5, 0.2], [0.1, 0.2, 0.4], scale: 0.3, seed: 5)
    func spread(footprint: Float) -> Float {
      let greens = (0..<400).map { k -> Float in
        let color = texture.color(
          at: SIMD2(Float(k % 20) * 0.0137, Float(k / 20) * 0.0171), footprint: footprint)
        #expect(color.min() >= 0 && color.max() < 1.5)
        return color.y
      }
      return (greens.max() ?? 0) - (greens.min() ?? 0)
    }
    let near = spread(footprint: 0.0005)
    if pattern != .plain { #expect(near > 0.02) }
    // If a pixel covers several repeats, no detail may remain that aliases.
    if pattern != .outdoors && pattern != .painting {
      #expect(spread(footprint: 1.5) < 0.35 * near + 1e-4, "\(near)")
    }
  }
}
