import SystemEssentials

extension Scene {
  /// A table with many small things, 0.15 to 1.5 m from a camera of 40 to 100 degrees.
  static func tableTop(seed: UInt64) -> (scene: Scene, focalLength: Float) {
    var (builder, surroundings) = RoomBuilder.furnished(seed: seed)
    let (width, depth) = (builder.palette.random(0.8...2), builder.palette.random(0.6...1))
    let height = builder.palette.random(0.4...0.95)
    // The table may cut other furniture, which the camera hardly sees.
    builder.clearMiddle(reach: [width / 2 + 0.5, depth / 2 + 0.5])
    let top = builder.palette.tableTop()
    var table = Furniture(reach: [width / 2, depth / 2])
    table.box(top, at: [0, height - 0.03, 0], size: [width, 0.03, depth])
    table.legs(
      builder.palette.wood(), width: width, depth: depth, height: height - 0.03, thickness: 0.06,
      isRound: false)
    for _ in 0..<builder.palette.random(3...16) {
      let place = Vector(
        builder.palette.random(-0.48...0.48) * width, height,
        builder.palette.random(-0.46...0.46) * depth)
      table.add(
        .smallThing(&builder.palette), at: place, yaw: builder.palette.random(-3.1416...3.1416))
    }
    builder.solids += table.placed(at: .zero, yaw: 0)
    let room = builder.scene(in: surroundings)
    let focalLength = builder.palette.random.focalLength()
    let target = Vector(
      builder.palette.random(-0.3...0.3) * width, height + 0.05,
      builder.palette.random(-0.3...0.3) * depth)
    let viewpoint = room.closeViewpoint(target, focalLength, &builder.palette.random)
    return (room.seen(from: viewpoint), focalLength)
  }

  /// The most varied of a few near views of a point, in which nothing is nearer than 8 cm.
  private func closeViewpoint(
    _ target: Vector, _ focalLength: Float, _ random: inout SplitMix64
  ) -> Viewpoint {
    mostVaried(of: 10, focalLength: focalLength, nearestAllowed: 0.08) {
      let (turn, down) = (random(-3.1416...3.1416), random(0.05...1.5))
      // The logarithm of the distance is uniform, so half of the views are nearer than 0.47 m.
      let distance = 0.15 * pow(10, random.unit())
      let direction = Basis(yaw: turn, pitch: -down).z
      let position = target - direction * distance
      guard contains(position), position.y > 0.1 else { return nil }
      return Viewpoint(
        position: position, yaw: turn + 0.1 * random.normal(), pitch: -down + 0.1 * random.normal(),
        roll: (random.chance(0.3) ? 0.3 : 0.05) * random.normal())
    }
  }
}

extension RoomBuilder {
  /// Removes everything below 2 m near the center of the floor. `reach` is in metres.
  mutating func clearMiddle(reach: SIMD2<Float>) {
    solids.removeAll {
      let bounds = $0.shape.bounds
      return bounds.low.y < 2 && bounds.low.x < reach.x && bounds.high.x > -reach.x
        && bounds.low.z < reach.y && bounds.high.z > -reach.y && bounds.high.y > 0.02
        && bounds.high.y - bounds.low.y < 2.2
    }
  }
}

extension Palette {
  /// A top of wood, lacquer, cloth or stone.
  fileprivate mutating func tableTop() -> Material {
    switch random(0...4) {
    case 0: upholstery()
    case 1: rug()
    default: wood()
    }
  }
}
