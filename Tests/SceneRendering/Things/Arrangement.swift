/// A room that is filled with things. Each thing stands on something and overlaps nothing.
struct Arrangement {
  var library: ThingLibrary
  /// The room, the lamps, and everything in the room so far.
  var builder: RoomBuilder
  private var hierarchy = BoundingVolumeHierarchy([], blocksLight: [])
  private var known = 0

  init(_ builder: RoomBuilder, library: ThingLibrary) {
    (self.builder, self.library) = (builder, library)
  }

  /// The number of tested points along each side of a base.
  private static let baseSamples = 7

  /// The support that a thing needs.
  enum Support {
    /// Support on all sides of the center and by half of the base, as for a thing that stands.
    case firm
    /// Support within 3 cm under the center, as for a thing in a heap.
    case loose
  }

  /// Lowers a body until it meets something. The body stays if it stands and overlaps nothing.
  ///
  /// - Parameters:
  ///   - solid: The turned solid, around the room's origin.
  ///   - place: x and z of the center, and the height from which the body is lowered, in metres.
  ///   - levels: The allowed heights of the ground, in metres.
  /// - Returns: The height of the ground under the body, or `nil` if the body does not fit.
  @discardableResult
  mutating func stand(
    _ solid: Solid, at place: Vector, on levels: ClosedRange<Float>, support: Support = .firm
  ) -> Float? {
    let shape = solid.shape
    let reach = shape.bounds.high
    let base = [
      shape.axes.x * shape.half.x, shape.axes.y * shape.half.y, shape.axes.z * shape.half.z,
    ]
    .sorted { abs($0.unit.y) < abs($1.unit.y) }
    let count = Self.baseSamples
    let steps = (0..<count).map { 0.97 * (2 * Float($0) / Float(count - 1) - 1) }
    let grounds = steps.flatMap { v in
      steps.map { u in (u, v, height(below: place + base[0] * u + base[1] * v, from: place.y)) }
    }
    let top = grounds.map(\.2).max() ?? 0
    guard levels.contains(top) else { return nil }
    switch support {
    case .firm:
      let held = grounds.filter { $0.2 > top - 0.003 }
      let quadrants = Set(held.filter { $0.0 != 0 && $0.1 != 0 }.map { [$0.0 > 0, $0.1 > 0] })
      guard held.count * 2 > grounds.count, quadrants.count == 4 else { return nil }
    case .loose:
      guard grounds.contains(where: { max(abs($0.0), abs($0.1)) < 0.5 && $0.2 > top - 0.03 }) else {
        return nil
      }
    }
    let position = Vector(place.x, top + reach.y + 2e-4, place.z)
    guard position.y < place.y + reach.y, keep(solid, at: position) else { return nil }
    return top
  }

  /// Adds a body at a position, unless the body leaves the room or overlaps something.
  @discardableResult
  mutating func keep(_ solid: Solid, at position: Vector) -> Bool {
    let moved = solid.moved(turn: .room, to: position)
    guard isInRoom(moved.shape), isFree(moved.shape) else { return false }
    builder.solids.append(moved)
    return true
  }

  private func isInRoom(_ shape: Shape) -> Bool {
    let (bounds, half) = (shape.bounds, builder.size / 2)
    return bounds.low.x >= -half.x && bounds.high.x <= half.x && bounds.low.z >= -half.z
      && bounds.high.z <= half.z && bounds.low.y >= 0 && bounds.high.y <= builder.size.y
  }

  /// Whether nothing overlaps the box around a body.
  func isFree(_ shape: Shape) -> Bool {
    !builder.solids.contains { shape.boxMeets($0.shape, meshes: library.meshes) }
  }

  /// The height of the first surface below a point, in metres. The floor has height 0.
  mutating func height(below point: Vector, from height: Float) -> Float {
    let ray = Ray(origin: [point.x, height, point.z], direction: [0, -1, 0])
    return height - min(distance(on: ray), height)
  }

  /// The parameter of the first hit on a solid, or infinity without a hit.
  mutating func distance(on ray: Ray) -> Float {
    if known != builder.solids.count {
      let solids = builder.solids
      hierarchy = BoundingVolumeHierarchy(
        solids.map(\.shape), blocksLight: solids.map(\.castsShadow), meshes: library.meshes)
      known = solids.count
    }
    return hierarchy.nearestHit(ray, before: 1000)?.t ?? .infinity
  }
}
