import DepthImages
import Testing

@testable import SceneRendering

/// The tree equals a plain loop, and hits are on the stated surfaces.
@Suite struct GeometryTests {
  @Test("the hierarchy finds a loop's hits and shadows", arguments: [1, 2, 3, 17] as [UInt64])
  func treeEqualsALoop(seed: UInt64) {
    let scene = Scene.randomRoom(seed: seed)
    var random = SplitMix64(seed: seed)
    for _ in 0..<3000 {
      let origin = scene.viewpoint.position
      let ray = Ray(
        origin: origin, direction: [random(-1...1), random(-1...1), random(-1...1)])
      let wall = scene.shell.exit(ray)
      let hits = scene.solids.map { $0.shape.hit(ray, before: wall) }
      let expected = min(wall, hits.min() ?? wall)
      #expect(scene.surface(on: ray).t == expected)
      #expect(scene.depth(on: ray) == expected)
      let shadow = zip(hits, scene.solids).contains {
        $0 < expected * 2 && $0 < wall && $1.castsShadow
      }
      #expect(scene.hierarchy.isBlocked(ray, before: min(wall, expected * 2)) == shadow)
    }
  }

  @Test("depth reprojects onto the surface that was hit", arguments: [4, 5, 6, 7] as [UInt64])
  func depthReprojectsOntoTheSurface(seed: UInt64) {
    let scene = Scene.randomRoom(seed: seed)
    let camera = scene.camera(width: 96, height: 72)
    let rendering = Rendering(of: scene, from: camera, samples: 1)
    for y in 0..<72 {
      for x in 0..<96 {
        let depth = rendering.depth.values[y * 96 + x]
        let point = camera.point(x: Float(x) + 0.5, y: Float(y) + 0.5, depth: depth)
        let identity = Int(rendering.surfaces[y * 96 + x])
        let shape =
          identity < 6 ? scene.shell : scene.solids[identity - Int(Scene.firstSolid)].shape
        let p = shape.unitPoint(point)
        let (px, py, pz) = (Double(p.x), Double(p.y), Double(p.z))
        let radial = (px * px + pz * pz).squareRoot()
        let limit = (1 + Double(shape.taper)) / 2 + (Double(shape.taper) - 1) / 2 * py
        // The distance from the surface in the unit frame.
        let error =
          switch shape.kind {
          case .box: abs(max(abs(px), abs(py), abs(pz)) - 1)
          case .ellipsoid: abs((radial * radial + py * py).squareRoot() - 1)
          case .frustum: min(abs(radial - limit), abs(abs(py) - 1))
          case .mesh: Double.infinity  // these rooms have no mesh
          }
        // 10 µm in the room, in units of the solid's smallest half extent.
        #expect(error * Double(shape.half.min()) < 1e-5, "pixel \(y), \(x), \(shape.kind)")
        #expect(abs(py) < 1.001)
      }
    }
  }

  @Test("a cone's side and caps are hit at the exact distance")
  func tallPostsCapsAndConesAreHitWhereTheyAre() {
    let cone = Solid.rod(
      Material([1, 1, 1]), from: [0, 0, 0], to: [0, 2, 0], radius: 1, taper: 0.5)
    func hit(_ origin: Vector, _ direction: Vector) -> Float {
      cone.shape.hit(Ray(origin: origin, direction: direction), before: 100)
    }
    #expect(abs(hit([-5, 1, 0], [1, 0, 0]) - 4.25) < 1e-5)  // the radius is 0.75 half way up
    #expect(abs(hit([0.2, 5, 0.2], [0, -1, 0]) - 3) < 1e-5)  // top cap
    #expect(abs(hit([0.7, 5, 0], [0, -1, 0]) - 3.8) < 1e-5)  // the slope beside it, y = 1.2
    #expect(abs(hit([0.9, -3, 0], [0, 1, 0]) - 3) < 1e-5)  // bottom cap
    #expect(hit([-5, 1, 0.76], [1, 0, 0]) == .infinity)
    #expect(abs(hit([0, 1, 0], [1, 0, 0]) - 0.75) < 1e-5)  // from inside
    #expect(hit([5, 1, 0], [1, 0, 0]) == .infinity)  // behind
  }

  @Test("a shape's bounds contain every hit and fit tightly") func boundsHoldEveryHit() {
    let turned = Basis(yaw: 0.7, pitch: -0.4, roll: 0.3)
    var random = SplitMix64(seed: 8)
    for kind in [Shape.Kind.box, .ellipsoid, .frustum] {
      let shape = Shape(kind, center: [1, 2, 3], half: [0.3, 0.8, 0.1], axes: turned, taper: 1.5)
      let (bounds, slack) = (shape.bounds, Vector(repeating: 1e-4))
      var reached = Bounds(low: shape.center, high: shape.center)
      for _ in 0..<4000 {
        let from = Vector(random(-2...4), random(-1...5), random(0...6))
        let inside = shape.center + Vector(random(-1...1), random(-1...1), random(-1...1)) * 0.3
        let ray = Ray(origin: from, direction: inside - from)
        let t = shape.hit(ray, before: 1000)
        guard t.isFinite else { continue }
        let point = ray.point(at: t)
        reached = reached.union(Bounds(low: point, high: point))
      }
      #expect(all(reached.low .>= bounds.low - slack) && all(reached.high .<= bounds.high + slack))
      // The bounds are hardly larger than needed.
      let (wanted, found) = (bounds.high - bounds.low, reached.high - reached.low)
      #expect(all(found .> wanted * 0.85), "\(kind): \(found) of \(wanted)")
    }
  }

  @Test("camera axes are orthonormal and turn with the angles") func axesAreOrthonormal() {
    let basis = Basis(yaw: 0.8, pitch: 0.3, roll: -0.2)
    for (a, b, product) in [
      (basis.x, basis.x, Float(1)), (basis.y, basis.y, 1), (basis.z, basis.z, 1),
      (basis.x, basis.y, 0), (basis.y, basis.z, 0), (basis.z, basis.x, 0),
    ] {
      #expect(abs(dot(a, b) - product) < 1e-6)
    }
    // Yaw turns towards +x, and pitch towards +y. Roll lowers the right side.
    #expect(Basis(yaw: 0.1).z.x > 0 && Basis(yaw: 0, pitch: 0.1).z.y > 0)
    #expect(Basis(yaw: 0, roll: 0.1).x.y < 0)
  }
}
