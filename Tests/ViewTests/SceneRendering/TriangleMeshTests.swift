import Testing

@testable import SceneRendering

@Suite struct TriangleMeshTests {
  /// The nearest hit on world triangles, by plane and three signed volumes in `Double`, and the
  /// hit's distance from an edge.
  private static func bruteForce(
    _ triangles: [[SIMD3<Double>]], _ origin: SIMD3<Double>, _ direction: SIMD3<Double>
  ) -> (t: Double, margin: Double)? {
    func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
      [a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x]
    }
    func dot(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double { (a * b).sum() }
    var best: (t: Double, margin: Double)?
    for corners in triangles {
      let normal = cross(corners[1] - corners[0], corners[2] - corners[0])
      let t = dot(corners[0] - origin, normal) / dot(direction, normal)
      guard t > 0, t.isFinite else { continue }
      let point = origin + direction * t
      let shares = (0..<3).map { k in
        let (a, b) = (corners[(k + 1) % 3], corners[(k + 2) % 3])
        return dot(cross(b - a, point - a), normal) / dot(normal, normal)
      }
      let margin = shares.min() ?? -1
      if margin > -1e-3, t < best?.t ?? .infinity { best = (t, margin) }
    }
    return best
  }

  @Test("instances of a mesh are hit exactly on their triangles", arguments: [1, 2, 3] as [UInt64])
  func instancesAreHitWhereTheirTrianglesAre(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    func point(_ reach: Float) -> Vector {
      [random(-1...1) * reach, random(-1...1) * reach, random(-1...1) * reach]
    }
    let corners = (0..<80).flatMap { _ -> [Vector] in
      let middle = point(0.5) + [3, 1, -2]
      return (0..<3).map { _ in middle + point(0.2) }
    }
    let mesh = TriangleMesh(
      corners: corners, coordinates: [SIMD2<Float>](repeating: .zero, count: corners.count))
    let instances = (0..<3).map { _ in
      Shape(
        .mesh, center: point(2), half: mesh.half * random(0.5...1.5),
        axes: Basis(yaw: random(-3...3), pitch: random(-1.5...1.5), roll: random(-3...3)), mesh: 0)
    }
    let world = instances.flatMap { shape in
      stride(from: 0, to: corners.count, by: 3).map { first in
        (0..<3).map { k -> SIMD3<Double> in
          let own =
            SIMD3<Double>(corners[first + k] - mesh.center)
            * Double(shape.half.x / mesh.half.x)
          let axes = shape.axes
          return SIMD3<Double>(shape.center) + SIMD3<Double>(axes.x) * own.x
            + SIMD3<Double>(axes.y) * own.y + SIMD3<Double>(axes.z) * own.z
        }
      }
    }
    let hierarchy = BoundingVolumeHierarchy(
      instances, blocksLight: [true, true, true], meshes: [mesh])
    var hits = 0
    for _ in 0..<500 {
      let origin = point(3)
      let ray = Ray(origin: origin, direction: random.pick(instances).center + point(0.7) - origin)
      let found = hierarchy.nearestHit(ray, before: 1e6)
      let expected = Self.bruteForce(
        world, SIMD3<Double>(ray.origin), SIMD3<Double>(ray.direction))
      // At an edge, rounding decides between hit and miss.
      if let expected, expected.margin < 1e-4 { continue }
      #expect((found == nil) == (expected == nil))
      guard let found, let expected else { continue }
      hits += 1
      #expect(abs(Double(found.t) - expected.t) < 2e-5 * (1 + expected.t))
      #expect(hierarchy.isBlocked(ray, before: found.t * 1.001))
      #expect(!hierarchy.isBlocked(ray, before: found.t * 0.999))
    }
    #expect(hits > 100)
  }

  @Test("a posed mesh is seen from both sides") func aMeshIsSeenFromBothSidesInItsPose() throws {
    // A 2 m square in the plane z = 0, placed at half size around (1, 1, 3) and turned to face +x.
    let square: [Vector] = [
      [-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, -1, 0], [1, 1, 0], [-1, 1, 0],
    ]
    let places: [SIMD2<Float>] = [[0, 0], [1, 0], [1, 1], [0, 0], [1, 1], [0, 1]]
    let mesh = TriangleMesh(corners: square, coordinates: places)
    let shape = Shape(
      .mesh, center: [1, 1, 3], half: mesh.half / 2, axes: Basis(yaw: .pi / 2), mesh: 0)
    let gray = ExactDepthTests.gray
    let scene = Scene(
      size: [8, 3, 8],
      surroundings: .init(floor: gray, ceiling: gray, walls: [gray, gray, gray, gray]),
      solids: [Solid(shape, gray)], lights: [], viewpoint: .init(position: [0, 1, 0]),
      meshes: [mesh])
    for side in [Float(-1), 1] {
      // The square's x, along which u grows, points to −z in the room.
      let from = Vector(1 + side * 2, 1.2, 3 - 0.3)
      let point = scene.surface(on: Ray(origin: from, direction: [-side, 0, 0]))
      #expect(point.identity == Scene.firstSolid && abs(point.t - 2) < 1e-5)
      #expect(abs(point.normal.x - side) < 1e-5)
      #expect(abs(point.picturePlace.x - 0.8) < 1e-5 && abs(point.picturePlace.y - 0.7) < 1e-5)
      #expect(abs(point.pictureSize - 1) < 1e-5)
      let past = scene.surface(on: Ray(origin: from + [0, 0, -0.3], direction: [-side, 0, 0]))
      #expect(past.identity < Scene.firstSolid)
    }
  }

  @Test("a drum has smooth normals at the side and sharp edges")
  func curvedSurfacesAreSmoothAndEdgesStaySharp() throws {
    let drum = try TriangleMeshReadingTests.mesh(ThingFolder.drum(radius: 0.04, height: 0.12))
    for (triangle, shading) in zip(drum.triangles, drum.shading) {
      let normals = [shading.normals.0, shading.normals.1, shading.normals.2].map { $0 / drum.half }
      let corners = [
        triangle.corner, triangle.corner + triangle.edge1, triangle.corner + triangle.edge2,
      ]
      let isEnd = Set(corners.map { $0.y > 0 }).count == 1
      for (corner, normal) in zip(corners, normals) {
        let radial = corner * Vector(1, 0, 1) * drum.half
        // Normals of the ends follow the axis. Normals of the side are those of a round drum.
        let wanted: Vector = isEnd ? [0, 1, 0] : radial.unit
        #expect(abs(abs(dot(normal.unit, wanted)) - 1) < 1e-3)
      }
    }
  }
}
