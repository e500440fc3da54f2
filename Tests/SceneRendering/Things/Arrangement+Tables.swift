import SystemEssentials

/// Tables, desks and benches for near views.
extension Arrangement {
  /// A part of a scene that carries things: a table's top or a part of the floor.
  struct Ground {
    /// The center, at the height of the ground.
    var middle: Vector
    /// Half of the sides before the turn, in metres.
    var reach: SIMD2<Float>
    var yaw: Float = 0
    /// Whether the ground is at the far wall.
    var isAtWall = false
  }

  /// Adds a piece of furniture of the given kinds along a wall.
  mutating func addPiece(_ kinds: [String]) throws -> Shape? {
    let pieces = furniture(kinds)
    guard !pieces.isEmpty else { return nil }
    return try furnish(builder.palette.random.pick(pieces), alongWall: true)
  }

  /// Adds a table, desk, bench or similar piece of the library, along a wall or free.
  mutating func addTableOfLibrary() throws -> Ground? {
    let pieces = furniture([
      "table", "desk", "coffee table", "bench", "kitchen unit", "cabinet", "night stand",
      "tv stand", "dresser", "stove",
    ]).filter { (0.2...1.2).contains($0.size[1]) && min($0.size[0], $0.size[2]) > 0.35 }
    guard !pieces.isEmpty,
      let piece = try furnish(
        builder.palette.random.pick(pieces), alongWall: builder.palette.random.chance(0.6))
    else { return nil }
    // The height of the top's center, which may be lower than a back or a tap.
    let top = height(below: piece.center, from: piece.bounds.high.y + 0.01)
    let axes = piece.axes
    return Ground(
      middle: [piece.center.x, top, piece.center.z], reach: [piece.half.x, piece.half.z] * 0.92,
      yaw: atan2(axes.z.x, axes.z.z))
  }

  /// Adds a generated table or counter, at the far wall, in a corner or free.
  mutating func addTable() throws -> Ground {
    let free = SIMD2(builder.size.x, builder.size.z) - 0.4
    let (width, depth) = (
      min(builder.palette.random(0.6...2), free.x), min(builder.palette.random(0.5...1.1), free.y)
    )
    let height = builder.palette.random(0.4...1)
    let top =
      builder.palette.random.chance(0.65) ? try surface(for: "table") : builder.palette.wood()
    var table = Furniture(reach: [width / 2, depth / 2])
    table.box(top, at: [0, height - 0.03, 0], size: [width, 0.03, depth])
    if builder.palette.random.chance(0.25) {
      table.box(
        try surface(for: "furniture"), at: .zero, size: [width - 0.03, height - 0.03, depth - 0.03])
    } else {
      table.legs(
        builder.palette.random.chance(0.5) ? builder.palette.metal() : builder.palette.wood(),
        width: width, depth: depth, height: height - 0.03,
        thickness: builder.palette.random(0.03...0.07),
        isRound: builder.palette.random.chance(0.5))
    }
    var ground = Ground(
      middle: .zero, reach: table.reach * 0.95, isAtWall: builder.palette.random.chance(0.6))
    let reach = SIMD2(builder.size.x - width, builder.size.z - depth) / 2 - 0.02
    if ground.isAtWall {
      ground.middle = [
        builder.palette.random.chance(0.3) ? reach.x : builder.palette.random(-reach.x...reach.x),
        height, reach.y,
      ]
    } else if reach.min() > 0.4 {
      ground.yaw = builder.palette.random(-3.1416...3.1416)
    }
    // Curtains, radiators and lamps in the table's place are removed.
    let position = Vector(ground.middle.x, 0, ground.middle.z)
    let solids = table.placed(at: position, yaw: ground.yaw)
    builder.solids.removeAll { old in
      old.shape.bounds.low.y < height
        && solids.contains { $0.shape.boxMeets(old.shape, meshes: []) }
    }
    builder.solids += solids
    ground.middle.y = height
    return ground
  }
}
