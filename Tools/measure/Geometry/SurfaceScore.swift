import DepthGeometry
import DepthImages

/// How an export compares with the true surface of a room.
struct SurfaceScore {
  /// Points within 3 pixels of an edge of depth, and those of them further than 5 cm from the true surface.
  var pointsNearEdges = 0
  var flyingPoints = 0
  /// Points of the true visible surface, and those of them within 5 cm of the export.
  var surfacePoints = 0
  var coveredPoints = 0
  var vertices = 0
  var triangles = 0

  var flyingShare: Double { Double(flyingPoints) / Double(max(pointsNearEdges, 1)) }
  var coveredShare: Double { Double(coveredPoints) / Double(max(surfacePoints, 1)) }

  /// Adds the score of an export.
  mutating func add(_ geometry: Geometry, in room: RoomTruth) {
    let points =
      switch geometry {
      case .cloud(let cloud): cloud.positions.asPoints
      case .mesh(let mesh): Self.samples(of: mesh, in: room)
      }
    vertices += geometry.vertexCount
    triangles += geometry.triangleCount
    let (camera, focalLength) = (room.camera, Float(room.camera.focalLength))
    for point in points {
      let x = Int(Float(camera.width) / 2 - focalLength * point.x / point.z)
      let y = Int(Float(camera.height) / 2 + focalLength * point.y / point.z)
      guard x >= 0, y >= 0, x < camera.width, y < camera.height,
        room.isNearEdge[y * camera.width + x]
      else { continue }
      pointsNearEdges += 1
      if !room.grid.hasPoint(near: point) { flyingPoints += 1 }
    }
    let grid = PointGrid(points, radius: RoomTruth.tolerance)
    surfacePoints += room.surface.count
    coveredPoints += room.surface.count { grid.hasPoint(near: $0) }
  }

  /// The mesh where the rays through half pixels meet its triangles.
  private static func samples(of mesh: DepthMesh, in room: RoomTruth) -> [SIMD3<Float>] {
    let focalLength = 2 * Float(room.camera.focalLength)
    let (width, height) = (2 * room.camera.width, 2 * room.camera.height)
    let vertices = mesh.positions.asPoints
    // x and y in half pixels, and disparity, which is linear on a triangle.
    let seen = vertices.map { point in
      SIMD3(
        Float(width) / 2 - focalLength * point.x / point.z,
        Float(height) / 2 + focalLength * point.y / point.z, -1 / point.z)
    }
    var samples: [SIMD3<Float>] = []
    for i in stride(from: 0, to: mesh.triangles.count, by: 3) {
      let (a, b, c) = (
        seen[Int(mesh.triangles[i])], seen[Int(mesh.triangles[i + 1])],
        seen[Int(mesh.triangles[i + 2])]
      )
      let area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
      let (low, high) = (pointwiseMin(a, pointwiseMin(b, c)), pointwiseMax(a, pointwiseMax(b, c)))
      // Off the lines between pixels, so that a sample is in one triangle only.
      let offset: Float = 0.503
      let (left, right) = (
        Int((low.x - offset).rounded(.up)), Int((high.x - offset).rounded(.down))
      )
      let (top, bottom) = (
        Int((low.y - offset).rounded(.up)), Int((high.y - offset).rounded(.down))
      )
      guard area != 0, left <= right, top <= bottom else { continue }
      for y in top...bottom {
        for x in left...right {
          let (px, py) = (Float(x) + offset, Float(y) + offset)
          let v = ((px - a.x) * (c.y - a.y) - (py - a.y) * (c.x - a.x)) / area
          let w = ((b.x - a.x) * (py - a.y) - (b.y - a.y) * (px - a.x)) / area
          guard v >= 0, w >= 0, v + w <= 1 else { continue }
          let z = 1 / (a.z + (b.z - a.z) * v + (c.z - a.z) * w)
          samples.append(
            SIMD3(
              (px - Float(width) / 2) / focalLength * z, (Float(height) / 2 - py) / focalLength * z,
              -z))
        }
      }
    }
    return samples
  }
}

extension [Float] {
  /// Triples as points.
  fileprivate var asPoints: [SIMD3<Float>] {
    stride(from: 0, to: count, by: 3).map { SIMD3(self[$0], self[$0 + 1], self[$0 + 2]) }
  }
}
