/// A tree of boxes, with which a ray tests only the members near its path.
///
/// Nodes are in depth-first order. Each node states the next node after a miss, so a walk needs no
/// stack.
///
/// > Source: B. Smits. “Efficiency Issues for Ray Tracing.” Journal of Graphics Tools 3(2), 1998,
/// > section 3 (skip pointers).
struct BoundsTree: Sendable {
  private struct Node: Sendable {
    var bounds: Bounds
    /// The node after the whole subtree of this node.
    var skip: Int
    /// The index of the leaf's member, or −1 inside the tree.
    var leaf: Int
  }

  private var nodes: [Node] = []

  /// - Parameter members: A box for each member. A ray tests a member only if it hits this box.
  init(_ members: [Bounds]) {
    guard !members.isEmpty else { return }
    nodes.reserveCapacity(2 * members.count)
    build(Array(members.indices), members)
  }

  private mutating func build(_ members: [Int], _ bounds: [Bounds]) {
    let whole = members.dropFirst().reduce(bounds[members[0]]) { $0.union(bounds[$1]) }
    let index = nodes.count
    nodes.append(Node(bounds: whole, skip: 0, leaf: members.count == 1 ? members[0] : -1))
    if members.count > 1 {
      let (left, right) = Self.split(members, bounds)
      build(left, bounds)
      build(right, bounds)
    }
    nodes[index].skip = nodes.count
  }

  /// The split along one axis, between sorted centers, with the smallest sum of area × members.
  private static func split(_ members: [Int], _ bounds: [Bounds]) -> ([Int], [Int]) {
    var best = (cost: Float.infinity, order: members, count: 1)
    for axis in 0..<3 {
      // The index breaks ties, so the order does not depend on the sort's implementation.
      let order = members.sorted {
        (bounds[$0].center[axis], $0) < (bounds[$1].center[axis], $1)
      }
      var areaFromRight = [Float](repeating: 0, count: order.count)
      var box = bounds[order[order.count - 1]]
      for k in stride(from: order.count - 1, through: 1, by: -1) {
        box = box.union(bounds[order[k]])
        areaFromRight[k] = box.halfArea
      }
      box = bounds[order[0]]
      for k in 1..<order.count {
        let cost = box.halfArea * Float(k) + areaFromRight[k] * Float(order.count - k)
        if cost < best.cost { best = (cost, order, k) }
        box = box.union(bounds[order[k]])
      }
    }
    return (Array(best.order[..<best.count]), Array(best.order[best.count...]))
  }

  /// The nearest hit before `limit`, with the member's index.
  ///
  /// - Parameter hit: A member's hit before a limit. A miss returns at least the limit.
  @inline(__always)
  func nearestHit(
    _ ray: Ray, before limit: Float, _ hit: (_ member: Int, _ limit: Float) -> Float
  ) -> (t: Float, member: Int)? {
    var found: (t: Float, member: Int)?
    walk(ray, before: limit) { member, limit in
      let t = hit(member, limit)
      guard t < limit else { return limit }
      found = (t, member)
      return t
    }
    return found
  }

  /// Whether any member is hit before `limit`.
  @inline(__always)
  func isBlocked(_ ray: Ray, before limit: Float, _ isHit: (_ member: Int) -> Bool) -> Bool {
    var isBlocked = false
    walk(ray, before: limit) { member, limit in
      isBlocked = isHit(member)
      return isBlocked ? nil : limit
    }
    return isBlocked
  }

  /// Visits the members near a ray.
  ///
  /// - Parameter visit: Returns the limit for later members, or `nil` to end the walk.
  @inline(__always)
  private func walk(
    _ ray: Ray, before limit: Float, _ visit: (_ member: Int, _ limit: Float) -> Float?
  ) {
    let inverse = 1 / ray.direction
    var (limit, index) = (limit, 0)
    while index < nodes.count {
      let node = nodes[index]
      guard node.bounds.isHit(from: ray.origin, inverse: inverse, before: limit) else {
        index = node.skip
        continue
      }
      index += 1
      guard node.leaf >= 0 else { continue }
      guard let next = visit(node.leaf, limit) else { return }
      limit = next
    }
  }
}
