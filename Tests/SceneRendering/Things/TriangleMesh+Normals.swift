extension TriangleMesh {
  /// The cosine of the largest angle between faces that form one curved surface.
  private static let crease: Float = 0.72

  /// Unit normals at triangle corners: the mean of adjacent faces within an angle of 44°.
  ///
  /// Each adjacent face counts with the orientation of the corner's face.
  static func normals(of corners: [Vector]) -> [Vector] {
    let faces = stride(from: 0, to: corners.count, by: 3).map { k in
      cross(corners[k + 1] - corners[k], corners[k + 2] - corners[k])
    }
    var around: [Vector: [Int]] = [:]
    for (index, corner) in corners.enumerated() { around[corner, default: []].append(index / 3) }
    return corners.enumerated().map { index, corner in
      let own = faces[index / 3]
      let length = own.length
      guard length > 0 else { return [0, 1, 0] }
      let sum = (around[corner] ?? []).reduce(Vector.zero) { sum, face in
        let other = faces[face]
        let product = dot(own, other)
        guard abs(product) > crease * length * other.length else { return sum }
        return sum + (product < 0 ? -other : other)
      }
      return sum.length > 0 ? sum.unit : own.unit
    }
  }
}
