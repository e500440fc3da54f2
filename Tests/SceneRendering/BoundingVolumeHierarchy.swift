/// A scene's shapes in a tree. Each mesh has a second tree, which all instances share.
struct BoundingVolumeHierarchy: Sendable {
  private let tree: BoundsTree
  private let shapes: [Shape]
  private let meshes: [TriangleMesh]
  private let blocksLight: [Bool]

  /// - Parameters:
  ///   - blocksLight: Whether each shape casts a shadow.
  ///   - meshes: The meshes to which shapes of kind `mesh` refer.
  init(_ shapes: [Shape], blocksLight: [Bool], meshes: [TriangleMesh] = []) {
    (self.shapes, self.blocksLight, self.meshes) = (shapes, blocksLight, meshes)
    // A slack of 10 µm prevents rounding from cutting off a shape that touches its box.
    tree = BoundsTree(
      shapes.map { Bounds(low: $0.bounds.low - 1e-5, high: $0.bounds.high + 1e-5) })
  }

  /// The nearest hit before `limit`, with the shape's index and a mesh's triangle.
  func nearestHit(_ ray: Ray, before limit: Float) -> (t: Float, shape: Int, triangle: Int)? {
    var triangle = -1
    let hit = tree.nearestHit(ray, before: limit) { member, best in
      let shape = shapes[member]
      guard shape.kind == .mesh else { return shape.hit(ray, before: best) }
      guard let hit = meshes[shape.mesh].nearestHit(shape.inUnitFrame(ray), before: best) else {
        return .infinity
      }
      triangle = hit.triangle
      return hit.t
    }
    guard let hit else { return nil }
    return (hit.t, hit.member, shapes[hit.member].kind == .mesh ? triangle : -1)
  }

  /// Whether a shape that casts a shadow is on the ray before `limit`.
  func isBlocked(_ ray: Ray, before limit: Float) -> Bool {
    tree.isBlocked(ray, before: limit) { member in
      guard blocksLight[member] else { return false }
      let shape = shapes[member]
      guard shape.kind == .mesh else { return shape.hit(ray, before: limit) < limit }
      return meshes[shape.mesh].isHit(shape.inUnitFrame(ray), before: limit)
    }
  }
}
