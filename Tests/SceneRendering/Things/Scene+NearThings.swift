import SystemEssentials

extension Scene {
  /// Things of a library on or in furniture or on the floor, for a camera of 40 to 100 degrees.
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
    var ground = Arrangement.Ground(middle: .zero, reach: [0.5, 0.5])
    if random < 0.12 {
      ground = Arrangement.Ground(middle: .zero, reach: [0.8, 0.8])
    } else if random < 0.22, let shelf = try arrangement.addPiece(["bookcase", "shelf", "cabinet"])
    {
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
      // Nothing stands here, or no camera can see it, so another room is tried.
      return try nearThings(seed: seed &+ 1 << 40, library: &library)
    }
    return (room.seen(from: viewpoint), focalLength)
  }
}

extension Arrangement {
  /// Puts things on the ground, in boxes and on the wall behind. Returns the centers.
  fileprivate mutating func cover(
    _ ground: Ground, with objects: [ThingLibrary.Thing]
  ) throws -> [Vector] {
    var targets: [Vector] = []
    let wanted = builder.palette.random(3...30)
    // Some scenes have only small things, so that small things need not mean a far view.
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
