/// Triangles with a picture, in the unit frame of the ``Shape`` that transforms them.
///
/// Triangles have two sides. A hit has the ray's parameter, as for every other shape.
public struct TriangleMesh: Sendable {
  /// A corner and the edges that leave it, in the unit frame.
  struct Triangle: Sendable {
    let corner, edge1, edge2: Vector

    /// The hit's parameter and place along both edges, or `nil` if no hit is after `t = 0`.
    ///
    /// > Source: T. Möller, B. Trumbore. “Fast, Minimum Storage Ray/Triangle Intersection.” Journal of
    /// > Graphics Tools 2(1), 1997, section 2.
    @inline(__always)
    func hit(_ ray: Ray) -> (t: Float, u: Float, v: Float)? {
      let p = cross(ray.direction, edge2)
      let determinant = dot(edge1, p)
      guard determinant != 0 else { return nil }
      let inverse = 1 / determinant
      let fromCorner = ray.origin - corner
      let u = dot(fromCorner, p) * inverse
      // The slack prevents rounding from letting a ray pass between two triangles.
      let slack: Float = 1e-6
      guard u >= -slack, u <= 1 + slack else { return nil }
      let q = cross(fromCorner, edge1)
      let v = dot(ray.direction, q) * inverse
      guard v >= -slack, u + v <= 1 + slack else { return nil }
      let t = dot(edge2, q) * inverse
      return t > 0 ? (t, u, v) : nil
    }
  }

  /// The shading data at the three corners of a triangle.
  struct Shading: Sendable {
    /// Normals as gradients in the unit frame, of any length.
    let normals: (Vector, Vector, Vector)
    /// Places in the picture, 0…1, from the lower left corner.
    let coordinates: (SIMD2<Float>, SIMD2<Float>, SIMD2<Float>)
    /// The picture's width on the triangle, in metres, or 0 if the picture has no extent here.
    let pictureSize: Float
  }

  /// Half of the width, height and depth of the box around all corners, in metres.
  public let half: Vector
  /// The center of this box in the mesh's frame, in metres.
  let center: Vector
  let triangles: [Triangle]
  let shading: [Shading]
  private let tree: BoundsTree

  /// - Parameters:
  ///   - corners: Three corners for each triangle, in metres, in any frame.
  ///   - coordinates: The places of the corners in the picture.
  /// - Precondition: There is a triangle, and each corner has a place.
  init(corners: [Vector], coordinates: [SIMD2<Float>]) {
    precondition(
      !corners.isEmpty && corners.count % 3 == 0 && coordinates.count == corners.count,
      "\(corners.count) corners with \(coordinates.count) places, expected three for each triangle")
    let whole = corners.dropFirst().reduce(Bounds(low: corners[0], high: corners[0])) {
      $0.union(Bounds(low: $1, high: $1))
    }
    // A flat mesh gets a box 0.1 mm thick, since the unit frame divides by the thickness.
    let half = pointwiseMax((whole.high - whole.low) / 2, Vector(repeating: 5e-5))
    (self.half, center) = (half, whole.center)
    let unit = corners.map { ($0 - whole.center) / half }
    let triangles = stride(from: 0, to: unit.count, by: 3).map { k in
      Triangle(corner: unit[k], edge1: unit[k + 1] - unit[k], edge2: unit[k + 2] - unit[k])
    }
    self.triangles = triangles
    tree = BoundsTree(
      triangles.map { triangle in
        let (a, b) = (triangle.corner + triangle.edge1, triangle.corner + triangle.edge2)
        let low = pointwiseMin(triangle.corner, pointwiseMin(a, b))
        let high = pointwiseMax(triangle.corner, pointwiseMax(a, b))
        return Bounds(low: low - 1e-5, high: high + 1e-5)
      })
    let normals = Self.normals(of: corners)
    shading = triangles.indices.map { index in
      let k = 3 * index
      return Shading(
        normals: (normals[k] * half, normals[k + 1] * half, normals[k + 2] * half),
        coordinates: (coordinates[k], coordinates[k + 1], coordinates[k + 2]),
        pictureSize: Self.pictureSize(
          cross(corners[k + 1] - corners[k], corners[k + 2] - corners[k]).length,
          coordinates[k + 1] - coordinates[k], coordinates[k + 2] - coordinates[k]))
    }
  }

  /// - Parameter area: Twice the triangle's area, in square metres.
  private static func pictureSize(_ area: Float, _ a: SIMD2<Float>, _ b: SIMD2<Float>) -> Float {
    let shown = abs(a.x * b.y - a.y * b.x)
    return shown > 1e-9 ? (area / shown).squareRoot() : 0
  }

  /// The median of the picture's width over the triangles, in metres, or 0 without extent.
  var typicalPictureSize: Float { shading.map(\.pictureSize).sorted()[shading.count / 2] }

  /// - Parameter ray: A ray in the unit frame.
  @inline(__always)
  func nearestHit(_ ray: Ray, before limit: Float) -> (t: Float, triangle: Int)? {
    tree.nearestHit(ray, before: limit) { member, _ in triangles[member].hit(ray)?.t ?? .infinity }
      .map { ($0.t, $0.member) }
  }

  /// - Parameter ray: A ray in the unit frame.
  @inline(__always)
  func isHit(_ ray: Ray, before limit: Float) -> Bool {
    tree.isBlocked(ray, before: limit) { triangles[$0].hit(ray).map { $0.t < limit } ?? false }
  }
}
