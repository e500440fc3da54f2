extension Shape {
  /// Whether another body overlaps the box around this body, made 0.3 mm smaller for touching.
  ///
  /// A mesh is tested by triangles, any other body by the box around it.
  func boxMeets(_ other: Shape, meshes: [TriangleMesh]) -> Bool {
    let (own, others) = (bounds, other.bounds)
    guard all(own.low .< others.high), all(others.low .< own.high) else { return false }
    let reach = pointwiseMax(1 - 3e-4 / half, Vector(repeating: 0.1))
    func local(_ unit: Vector) -> Vector { unitPoint(other.center + other.axes(unit * other.half)) }
    if other.kind == .mesh {
      return meshes[other.mesh].triangles.contains { triangle in
        let corner = triangle.corner
        return Self.triangle(
          local(corner), local(corner + triangle.edge1), local(corner + triangle.edge2),
          meets: reach)
      }
    }
    let middle = other.unitPoint(center)
    if abs(middle.x) < 1, abs(middle.y) < 1, abs(middle.z) < 1 { return true }
    let inside = unitPoint(other.center)
    if abs(inside.x) < 1, abs(inside.y) < 1, abs(inside.z) < 1 { return true }
    // Both triangles of each face of the other body's box.
    for axis in 0..<3 {
      for side in [Float(-1), 1] {
        let corners = [(-1, -1), (1, -1), (1, 1), (-1, 1)].map { u, v -> Vector in
          var unit = Vector(repeating: side)
          unit[(axis + 1) % 3] = Float(u)
          unit[(axis + 2) % 3] = Float(v)
          return local(unit)
        }
        if Self.triangle(corners[0], corners[1], corners[2], meets: reach)
          || Self.triangle(corners[0], corners[2], corners[3], meets: reach)
        {
          return true
        }
      }
    }
    return false
  }

  /// Whether a triangle meets the box from `-half` to `half`.
  ///
  /// > Source: T. Akenine-Möller. “Fast 3D Triangle-Box Overlap Testing.” Journal of Graphics Tools 6(1), 2001.
  static func triangle(_ a: Vector, _ b: Vector, _ c: Vector, meets half: Vector) -> Bool {
    let low = pointwiseMin(a, pointwiseMin(b, c))
    let high = pointwiseMax(a, pointwiseMax(b, c))
    guard all(low .< half), all(high .> -half) else { return false }
    /// Whether a plane across `axis` separates the triangle from the box.
    func separates(_ axis: Vector) -> Bool {
      let (x, y, z) = (dot(a, axis), dot(b, axis), dot(c, axis))
      let reach =
        half.x * abs(axis.x) + half.y * abs(axis.y) + half.z * abs(axis.z)
      return min(x, y, z) > reach || max(x, y, z) < -reach
    }
    let (ab, bc, ca) = (b - a, c - b, a - c)
    if separates(cross(ab, bc)) { return false }
    for edge in [ab, bc, ca] {
      if separates([0, -edge.z, edge.y]) || separates([edge.z, 0, -edge.x])
        || separates([-edge.y, edge.x, 0])
      {
        return false
      }
    }
    return true
  }
}
