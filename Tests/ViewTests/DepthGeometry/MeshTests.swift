import DepthGeometry
import DepthImages
import Testing

/// Triangle meshes have no cracks, are cut at edges, and are within the map's tolerance.
@Suite struct MeshTests {
  private struct Shape: CustomTestStringConvertible, Sendable {
    let height, width: Int
    var testDescription: String { "\(width)×\(height)" }
  }

  private static let shapes = [(2, 2), (3, 2), (5, 9), (17, 33), (40, 61), (130, 300)]
    .map { Shape(height: $0.0, width: $0.1) }

  /// The pixel of each vertex, from the vertex's texture coordinates.
  private func pixels(_ mesh: DepthMesh, _ map: DepthMap) -> [SIMD2<Int>] {
    (0..<mesh.vertexCount).map {
      SIMD2(
        Int(mesh.textureCoordinates[2 * $0] * Float(map.width)),
        Int(mesh.textureCoordinates[2 * $0 + 1] * Float(map.height)))
    }
  }

  /// Twice the triangle's area in pixels, positive if counterclockwise for the camera.
  private func area(_ a: SIMD2<Int>, _ b: SIMD2<Int>, _ c: SIMD2<Int>) -> Int {
    (c.x - a.x) * (b.y - a.y) - (b.x - a.x) * (c.y - a.y)
  }

  @Test(
    "a mesh is within the tolerance at each pixel",
    arguments: shapes, [Float(0), 0.3, 2, 1000])
  private func everyPixelIsWithinTheTolerance(shape: Shape, tolerance: Float) throws {
    let map = GeometryScenes.hills(height: shape.height, width: shape.width)
    try expectTolerance(of: map, tolerance: tolerance)
    guard shape.width < 100 else { return }
    // Errors are in pixels at the distance of each point, since a triangle has near and far points.
    try expectTolerance(
      of: GeometryScenes.map(height: shape.height, width: shape.width) { y, x in
        0.1 + 0.8 * x * x + 0.1 * y
      }, tolerance: tolerance)
  }

  private func expectTolerance(of map: DepthMap, tolerance: Float) throws {
    let shape = Shape(height: map.height, width: map.width)
    let camera = GeometryScenes.camera(map)
    let mesh = try map.mesh(
      of: GeometryScenes.photo(map), camera: camera,
      options: GeometryOptions(edgeThreshold: nil, simplification: tolerance))
    let pixels = pixels(mesh, map)
    var isCovered = [Bool](repeating: false, count: shape.height * shape.width)
    var (total, worst) = (0, 0.0)
    for i in stride(from: 0, to: mesh.triangles.count, by: 3) {
      let corners = mesh.triangles[i..<i + 3].map { pixels[Int($0)] }
      let (a, b, c) = (corners[0], corners[1], corners[2])
      let whole = area(a, b, c)
      #expect(whole > 0)
      total += whole
      for y in min(a.y, b.y, c.y)...max(a.y, b.y, c.y) {
        for x in min(a.x, b.x, c.x)...max(a.x, b.x, c.x) {
          let p = SIMD2(x, y)
          let shares = [area(p, b, c), area(a, p, c), area(a, b, p)]
          guard shares.allSatisfy({ $0 >= 0 }) else { continue }
          isCovered[y * shape.width + x] = true
          let d = corners.indices.reduce(0.0) { sum, k in
            sum + Double(map.values[corners[k].y * shape.width + corners[k].x])
              * Double(shares[k]) / Double(whole)
          }
          let own = Double(map.values[y * shape.width + x])
          worst = max(worst, camera.focalLength * abs(d - own) / own)
        }
      }
    }
    #expect(isCovered.allSatisfy { $0 })
    #expect(total == 2 * (shape.height - 1) * (shape.width - 1))
    #expect(worst <= Double(tolerance) * 1.01 + 1e-3)
    if tolerance == 0 {
      #expect(mesh.vertexCount == shape.height * shape.width)
      #expect(mesh.triangleCount == 2 * (shape.height - 1) * (shape.width - 1))
    }
  }

  @Test("each inner side of a mesh belongs to two triangles", arguments: shapes)
  private func thereAreNoCracks(shape: Shape) throws {
    let map = GeometryScenes.hills(height: shape.height, width: shape.width)
    let mesh = try map.mesh(
      of: GeometryScenes.photo(map), camera: GeometryScenes.camera(map),
      options: GeometryOptions(edgeThreshold: 0.5, simplification: 0.5))
    let pixels = pixels(mesh, map)
    var sides: [[UInt32]: Int] = [:]
    for i in stride(from: 0, to: mesh.triangles.count, by: 3) {
      for k in 0..<3 {
        sides[[mesh.triangles[i + k], mesh.triangles[i + (k + 1) % 3]].sorted(), default: 0] += 1
      }
    }
    for (side, count) in sides where count != 2 {
      let (a, b) = (pixels[Int(side[0])], pixels[Int(side[1])])
      let isOnBorder =
        a.x == b.x && (a.x == 0 || a.x == shape.width - 1)
        || a.y == b.y && (a.y == 0 || a.y == shape.height - 1)
      #expect(count == 1 && isOnBorder, "\(a) \(b), \(count) triangles")
    }
  }

  /// Diagonals of the largest squares meet at every second corner. Four folds through the centers
  /// of four squares need two triangles per square.
  @Test("four folds along the diagonals need eight triangles")
  func foldsAlongTheDiagonalsNeedNoSplit() throws {
    let side = 513
    let map = DepthMap(
      height: side, width: side, unit: .disparity,
      values: (0..<side * side).map { index in
        let (y, x) = index.quotientAndRemainder(dividingBy: side)
        return 0.3 + 0.001 * Float(abs(abs(x - side / 2) - abs(y - side / 2)))
      })
    try expectTolerance(of: map, tolerance: 0.3)
    let mesh = try map.mesh(
      of: GeometryScenes.photo(map), camera: GeometryScenes.camera(map),
      options: GeometryOptions(edgeThreshold: nil, simplification: 0.3))
    #expect(mesh.triangleCount == 8)
  }

  @Test("a plane needs fewer than 100 triangles") func planesNeedFewTriangles() throws {
    let map = GeometryScenes.plane(height: 513, width: 769)
    let mesh = try map.mesh(of: GeometryScenes.photo(map), camera: GeometryScenes.camera(map))
    #expect(mesh.triangleCount < 100, "\(mesh.triangleCount)")
    #expect(mesh.texture == GeometryScenes.photo(map))
  }

  @Test("no triangle spans an edge above the threshold", arguments: [Float(0), 1])
  func noTriangleSpansAnEdge(tolerance: Float) throws {
    let map = GeometryScenes.box(height: 60, width: 90, hasHole: true)
    let mesh = try map.mesh(
      of: GeometryScenes.photo(map), camera: GeometryScenes.camera(map),
      options: GeometryOptions(simplification: tolerance))
    #expect(mesh.triangleCount > 100)
    for i in stride(from: 0, to: mesh.triangles.count, by: 3) {
      let depths = mesh.triangles[i..<i + 3].map { -mesh.positions[3 * Int($0) + 2] }
      #expect(depths.allSatisfy { abs($0 - depths[0]) < 0.1 })
    }
    // Without a threshold, all pixels with values are connected.
    let closed = try map.mesh(
      of: GeometryScenes.photo(map), camera: GeometryScenes.camera(map),
      options: GeometryOptions(edgeThreshold: nil, simplification: 0))
    let hole = 9 * 6
    #expect(closed.vertexCount == 60 * 90 - hole)
  }

  /// The map may have other proportions than the photo.
  @Test("a vertex's texture point is where the camera sees it", arguments: [(24, 40), (30, 28)])
  func theTextureIsWhereTheCameraSeesIt(height: Int, width: Int) throws {
    let map = GeometryScenes.plane(height: height, width: width)
    let photo = GeometryScenes.photo(GeometryScenes.plane(height: 48, width: 60))
    let camera = Camera(width: 60, height: 48, focalLength: 50)
    let mesh = try map.mesh(
      of: photo, camera: camera, options: GeometryOptions(simplification: 0))
    #expect(mesh.vertexCount == height * width)
    for i in 0..<mesh.vertexCount {
      let p = point(mesh.positions, i)
      let (x, y) = (30 - 50 * p.x / p.z, 24 + 50 * p.y / p.z)
      #expect(abs(Double(mesh.textureCoordinates[2 * i]) - x / 60) < 1e-5)
      #expect(abs(Double(mesh.textureCoordinates[2 * i + 1]) - y / 48) < 1e-5)
    }
  }

  /// The threshold is a share of the nearer disparity.
  @Test("a step below the threshold is joined", arguments: [(1.0408, true), (1.043, false)])
  func stepsBelowTheThresholdAreConnected(near: Double, isConnected: Bool) throws {
    let map = GeometryScenes.map(height: 12, width: 20) { _, x in x < 0.5 ? 1 : near }
    let mesh = try map.mesh(
      of: GeometryScenes.photo(map), camera: GeometryScenes.camera(map),
      options: GeometryOptions(simplification: 0))
    #expect(mesh.triangleCount == 2 * 11 * (isConnected ? 19 : 18))
  }

  /// Neighbors on a plane may differ by more than the threshold. At the border, no further pixel
  /// shows the slope.
  @Test("a steep plane is connected except at the border") func steepPlanesAreConnected() throws {
    let map = GeometryScenes.map(height: 12, width: 30) { _, x in 0.05 + 1.5 * x }
    let mesh = try map.mesh(
      of: GeometryScenes.photo(map), camera: GeometryScenes.camera(map),
      options: GeometryOptions(simplification: 0))
    #expect(mesh.triangleCount == 2 * 11 * 28)
  }

  /// A step as high as a slope's pixel steps is not part of the slope.
  @Test("a slope is not connected across a step of equal height")
  func aPlaneMustGoOnOnBothSidesOfAStep() throws {
    let map = GeometryScenes.map(height: 5, width: 30) { _, x in min(0.05 + 1.5 * x, 0.8) }
    let mesh = try map.mesh(
      of: GeometryScenes.photo(map), camera: GeometryScenes.camera(map),
      options: GeometryOptions(simplification: 0))
    #expect(mesh.triangleCount == 2 * 4 * 27)
  }

  @Test("a filled hole is part of the mesh") func filledHolesHaveTriangles() throws {
    let map = GeometryScenes.box(height: 60, width: 90, hasHole: true)
    let mesh = try map.mesh(
      of: GeometryScenes.photo(map), camera: GeometryScenes.camera(map),
      options: GeometryOptions(fillsHoles: true, simplification: 0))
    #expect(mesh.vertexCount == 60 * 90)
  }
}
