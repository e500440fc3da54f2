import DepthImages
import Testing

@testable import SceneRendering

/// Depth equals closed formulas in `Double`, which share no code with the tracer.
@Suite struct ExactDepthTests {
  static let gray = Material([0.5, 0.5, 0.5])

  static func room(
    _ solids: [Solid] = [], size: Vector = [6, 3, 8],
    viewpoint: Viewpoint = .init(position: [0, 1, 0])
  ) -> Scene {
    Scene(
      size: size,
      surroundings: .init(floor: gray, ceiling: gray, walls: [gray, gray, gray, gray]),
      solids: solids,
      lights: [.lamp(at: [0, 2.8, 0], radius: 0.1, power: [3, 3, 3])], viewpoint: viewpoint)
  }

  /// The direction through a pixel's center, with z = 1, for a camera that looks along +z.
  static func direction(_ camera: SceneCamera, _ y: Int, _ x: Int) -> (x: Double, y: Double) {
    let f = Double(camera.focalLength)
    return (
      (Double(x) + 0.5 - Double(camera.width) / 2) / f,
      (Double(camera.height) / 2 - Double(y) - 0.5) / f
    )
  }

  @Test("depth of an empty room equals its walls' depth", arguments: [(64, 48), (33, 51), (1, 1)])
  func emptyRoom(width: Int, height: Int) {
    // With these sides and this focal length, no ray meets an edge of the room.
    let scene = Self.room(size: [6.1, 3, 8])
    let camera = scene.camera(width: width, height: height, focalLength: 31.3)
    let rendering = Rendering(of: scene, from: camera, samples: 1, threads: 1)
    for y in 0..<height {
      for x in 0..<width {
        let d = Self.direction(camera, y, x)
        // The nearest of the far wall, floor or ceiling, and side wall. Depth is the z component.
        let vertical = d.y < 0 ? -1 / d.y : d.y > 0 ? 2 / d.y : .infinity
        let sideways = d.x == 0 ? .infinity : Double(Float(6.1)) / 2 / abs(d.x)
        let expected = min(4, vertical, sideways)
        let found = Double(rendering.depth.values[y * width + x])
        #expect(abs(found - expected) < 2e-6 * expected, "pixel \(y), \(x)")
        let face: Int32 =
          expected == 4 ? 5 : expected == vertical ? (d.y < 0 ? 2 : 3) : (d.x < 0 ? 0 : 1)
        #expect(rendering.surfaces[y * width + x] == face, "pixel \(y), \(x)")
      }
    }
  }

  @Test("depth and outline of spheres are exact", arguments: [(0.5, 2.0), (0.02, 1.1), (0.9, 2.5)])
  func sphere(radius: Double, distance: Double) {
    let center = Vector(0.05, 1.03, Float(distance))
    let scene = Self.room([.sphere(Self.gray, center: center, radius: Float(radius))])
    let camera = scene.camera(width: 129, height: 97)
    let rendering = Rendering(of: scene, from: camera, samples: 1, threads: 2)
    let (cx, cy, cz) = (Double(center.x), Double(center.y) - 1, Double(center.z))
    var inside = 0
    for y in 0..<camera.height {
      for x in 0..<camera.width {
        let d = Self.direction(camera, y, x)
        let a = d.x * d.x + d.y * d.y + 1
        let b = d.x * cx + d.y * cy + cz
        let discriminant = b * b - a * (cx * cx + cy * cy + cz * cz - radius * radius)
        let isSphere = rendering.surfaces[y * camera.width + x] == Scene.firstSolid
        if abs(discriminant) > 1e-4 * radius { #expect(isSphere == (discriminant > 0)) }
        guard discriminant > 1e-3 * radius, isSphere else { continue }
        inside += 1
        let expected = (b - discriminant.squareRoot()) / a
        let found = Double(rendering.depth.values[y * camera.width + x])
        #expect(abs(found - expected) < 1e-5 * expected, "pixel \(y), \(x)")
      }
    }
    #expect(inside > 4)
  }

  @Test("a sphere is nearest at its center") func nearestPointOfASphereLooksStraightAtIt() {
    let scene = Self.room([.sphere(Self.gray, center: [0, 1, 3], radius: 0.4)])
    let camera = scene.camera(width: 65, height: 49)
    let rendering = Rendering(of: scene, from: camera, samples: 1)
    let middle = rendering.depth.values[24 * 65 + 32]
    #expect(abs(middle - 2.6) < 1e-6)
    for (depth, surface) in zip(rendering.depth.values, rendering.surfaces)
    where surface == Scene.firstSolid { #expect(depth >= middle) }
  }

  @Test("depth of the slanted wall equals its plane") func slantedWallIsItsPlane() {
    let scene = Scene.named(.slantedWall)
    let camera = scene.camera(width: 80, height: 60)
    let rendering = Rendering(of: scene, from: camera, samples: 1)
    // The front face is 1 cm before the center along the normal (sin yaw, 0, cos yaw).
    let (nx, nz) = (-0.581_035_160_5, 0.813_878_456_6)  // sin and cos of -0.62 radians
    let offset = 3.2 * nz - 0.01
    var seen = 0
    for y in 0..<60 {
      for x in 0..<80 where rendering.surfaces[y * 80 + x] == Scene.firstSolid {
        let d = Self.direction(camera, y, x)
        let expected = offset / (d.x * nx + nz)
        #expect(abs(Double(rendering.depth.values[y * 80 + x]) - expected) < 3e-6 * expected)
        seen += 1
      }
    }
    #expect(seen > 2000)
  }

  @Test("the four steps are at 1.5, 2, 2.5 and 3 m") func stepsStandWhereTheyAreSaidToStand() {
    let rendering = Rendering(of: .named(.steps), from: Scene.named(.steps).camera(), samples: 1)
    for board in 0..<4 {
      let values = rendering.surfaces.indices
        .filter { rendering.surfaces[$0] == Scene.firstSolid + Int32(board) }
        .map { rendering.depth.values[$0] }
      let front = 1.5 + 0.5 * Float(board)
      // Some pixels show the 2 cm edge.
      #expect(values.filter { abs($0 - front) < 1e-5 }.count > 5000)
      #expect(values.allSatisfy { $0 > front - 1e-5 && $0 < front + 0.0201 })
    }
  }

  @Test("the pole is 17 or 18 pixels wide and 1.475 m away") func poleIsAColumnOfItsDiameter() {
    let scene = Scene.named(.poleBeforeWall)
    let rendering = Rendering(of: scene, from: scene.camera(), samples: 1)
    for y in [0, 100, 240, 479] {
      let row = (0..<640).filter { rendering.surfaces[y * 640 + $0] == Scene.firstSolid }
      // 5 cm at 1.5 m and 525 px are 17.5 px.
      #expect((17...18).contains(row.count))
      let nearest = row.map { rendering.depth.values[y * 640 + $0] }.min() ?? 0
      #expect(abs(nearest - 1.475) < 1e-3)
    }
  }
}
