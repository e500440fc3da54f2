/// The shapes of a scene in a tree; a shape that is a mesh has a tree of its own, which all its instances share.
struct BoundingVolumeHierarchy: Sendable {
  private let tree: BoundsTree
  private let shapes: [Shape]
  private let meshes: [TriangleMesh]
  private let blocksLight: [Bool]

  /// - Parameters:
  ///   - blocksLight: Whether each shape casts a shadow.
  ///   - meshes: Those that shapes of the kind `mesh` stretch, turn and move.
  init(_ shapes: [Shape], blocksLight: [Bool], meshes: [TriangleMesh] = []) {
    (self.shapes, self.blocksLight, self.meshes) = (shapes, blocksLight, meshes)
    // A slack of 10 µm keeps rounding from cutting off a shape that touches its own box.
    tree = BoundsTree(
      shapes.map { Bounds(low: $0.bounds.low - 1e-5, high: $0.bounds.high + 1e-5) })
  }

  /// The nearest hit before `limit`, with the shape's index, and the triangle's where the shape is a mesh.
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

  /// Whether anything that casts a shadow lies on the ray before `limit`.
  func isBlocked(_ ray: Ray, before limit: Float) -> Bool {
    tree.isBlocked(ray, before: limit) { member in
      guard blocksLight[member] else { return false }
      let shape = shapes[member]
      guard shape.kind == .mesh else { return shape.hit(ray, before: limit) < limit }
      return meshes[shape.mesh].isHit(shape.inUnitFrame(ray), before: limit)
    }
  }
}
