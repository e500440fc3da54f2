import SystemEssentials

/// Where things are put down: a table's top, or a part of the floor.
private struct Ground {
  /// At the height of the ground.
  var middle: Vector
  /// Half of its sides before the turn, metres.
  var reach: SIMD2<Float>
  var yaw: Float = 0
  /// Whether it stands at the far wall.
  var isAtWall = false
}

extension Scene {
  /// Things of a library on and in a table, desk, bench, shelf or box, or on the floor, seen by a camera of 40 to 100 degrees.
  ///
  /// - Returns: The scene, and the focal length in units of the longer side of the picture.
  /// - Throws: `DepthError` for a file of the library that cannot be read.
  public static func nearThings(
    seed: UInt64, library: inout ThingLibrary
  ) throws -> (scene: Scene, focalLength: Float) {
    var (arrangement, surroundings) = try Arrangement.emptyRoom(
      seed: seed, library: library, sides: 2.4...5)
    let random = arrangement.builder.palette.random.unit()
    let objects = arrangement.objects(upTo: 0.42)
    var targets: [Vector] = []
    var ground = Ground(middle: .zero, reach: [0.5, 0.5])
    if random < 0.12 {
      ground = Ground(middle: .zero, reach: [0.8, 0.8])
    } else if random < 0.22, let shelf = try arrangement.addPiece(["bookcase", "shelf", "cabinet"]) {
      ground.middle = [shelf.center.x, 0.4, shelf.center.z]
      targets = try arrangement.fill(
        shelf, wanted: arrangement.builder.palette.random(5...20), things: objects)
    } else if random < 0.55, let table = try arrangement.addTableOfLibrary() {
      ground = table
    } else {
      ground = try arrangement.addTable()
    }
    if targets.isEmpty { targets = try arrangement.cover(ground, with: objects) }
    if targets.isEmpty { return try nearThings(seed: seed &+ 1 << 40, library: &library) }
    for _ in 0..<arrangement.builder.palette.random(0...5) {
      let piece = arrangement.builder.palette.random.pick(
        arrangement.library.things.filter { $0.group == "furniture" && $0.stands == "floor" })
      _ = try arrangement.furnish(piece, alongWall: arrangement.builder.palette.random.chance(0.8))
    }
    arrangement.builder.addPictures(arrangement.builder.palette.random(0...4))
    library = arrangement.library
    let room = arrangement.scene(
      in: surroundings, viewpoint: Viewpoint(position: ground.middle + [0, 1, 0]))
    let focalLength = arrangement.builder.palette.random.focalLength()
    guard
      let viewpoint = room.nearViewpoint(
        targets, ground: ground.middle.y, focalLength, &arrangement.builder.palette.random)
    else {
      // Nothing stands here, or no camera can see it: another room in its place.
      return try nearThings(seed: seed &+ 1 << 40, library: &library)
    }
    return (room.seen(from: viewpoint), focalLength)
  }
}

extension Arrangement {
  /// A piece of furniture of some kinds along a wall.
  fileprivate mutating func addPiece(_ kinds: [String]) throws -> Shape? {
    let pieces = furniture(kinds)
    guard !pieces.isEmpty else { return nil }
    return try furnish(builder.palette.random.pick(pieces), alongWall: true)
  }

  /// A table, desk, bench or the like of the library, along a wall or free.
  fileprivate mutating func addTableOfLibrary() throws -> Ground? {
    let pieces = furniture([
      "table", "desk", "coffee table", "bench", "kitchen unit", "cabinet", "night stand",
      "tv stand", "dresser", "stove",
    ]).filter { (0.2...1.2).contains($0.size[1]) && min($0.size[0], $0.size[2]) > 0.35 }
    guard !pieces.isEmpty,
      let piece = try furnish(
        builder.palette.random.pick(pieces), alongWall: builder.palette.random.chance(0.6))
    else { return nil }
    // Its top in the middle, which may lie lower than a back or a tap.
    let top = height(below: piece.center, from: piece.bounds.high.y + 0.01)
    let axes = piece.axes
    return Ground(
      middle: [piece.center.x, top, piece.center.z], reach: [piece.half.x, piece.half.z] * 0.92,
      yaw: atan2(axes.z.x, axes.z.z))
  }

  /// A table or counter of its own making, at the far wall, in a corner or free.
  fileprivate mutating func addTable() throws -> Ground {
    let free = SIMD2(builder.size.x, builder.size.z) - 0.4
    let (width, depth) = (
      min(builder.palette.random(0.6...2), free.x), min(builder.palette.random(0.5...1.1), free.y)
    )
    let height = builder.palette.random(0.4...1)
    let top = builder.palette.random.chance(0.65) ? try surface(for: "table") : builder.palette.wood()
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
    // What hangs or stands in its place goes: a curtain, a radiator, a lamp.
    let position = Vector(ground.middle.x, 0, ground.middle.z)
    let solids = table.placed(at: position, yaw: ground.yaw)
    builder.solids.removeAll { old in
      old.shape.bounds.low.y < height && solids.contains { $0.shape.boxMeets(old.shape, meshes: []) }
    }
    builder.solids += solids
    ground.middle.y = height
    return ground
  }

  /// Things on the ground, sometimes in boxes, sometimes on the wall behind; returns their middles.
  fileprivate mutating func cover(
    _ ground: Ground, with objects: [ThingLibrary.Thing]
  ) throws -> [Vector] {
    var targets: [Vector] = []
    let share = builder.palette.random.unit()
    let wanted = 3 + Int(27 * share * share)
    // Small things alone, or any: a picture full of small things must not look like one of large ones from afar.
    let small = objects.filter { ($0.size.max() ?? 0) < 0.16 }
    let things = builder.palette.random.chance(0.3) && !small.isEmpty ? small : objects
    if builder.palette.random.chance(0.35) {
      for _ in 0..<builder.palette.random(1...2) {
        targets += try fillBin(
          middle: ground.middle, reach: ground.reach, yaw: ground.yaw,
          things: things.filter { ($0.size.max() ?? 0) < 0.26 })
      }
    }
    targets += try clutter(
      wanted, middle: ground.middle, reach: ground.reach, yaw: ground.yaw, things: things)
    if ground.isAtWall, builder.palette.random.chance(0.5) {
      let along = ground.middle.x
      try hang(
        builder.palette.random(1...8), wall: 0,
        along: along - ground.reach.x...along + ground.reach.x,
        heights: ground.middle.y + 0.15...min(ground.middle.y + 1, builder.size.y - 0.2),
        things: objects)
    }
    return targets
  }
}
