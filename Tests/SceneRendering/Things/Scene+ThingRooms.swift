import SystemEssentials

extension Scene {
  /// A room of the library with further things, or a random room with the library's furniture, for
  /// a camera of 40 to 100 degrees.
  ///
  /// - Returns: The scene, and the focal length in units of the longer side of the picture.
  /// - Throws: `DepthError` for a file of the library that cannot be read.
  public static func thingRoom(
    seed: UInt64, library: inout ThingLibrary
  ) throws -> (scene: Scene, focalLength: Float) {
    var chooser = SplitMix64(seed: seed ^ 0x7416)
    if !library.rooms.isEmpty, chooser.chance(0.35) {
      return try storedRoom(chooser.pick(library.rooms), seed: seed, library: &library)
    }
    var (arrangement, surroundings) = try Arrangement.emptyRoom(
      seed: seed, library: library, sides: 2.4...7)
    for _ in 0..<arrangement.builder.palette.random(0...2) { arrangement.builder.addRug() }
    if arrangement.builder.palette.random.chance(0.2) { arrangement.builder.addMirror() }
    try arrangement.furnishForUse()
    arrangement.builder.addPictures(arrangement.builder.palette.random(0...5))
    library = arrangement.library
    let size = arrangement.builder.size
    let room = arrangement.scene(
      in: surroundings, viewpoint: Viewpoint(position: [0, size.y - 0.15, 0]))
    let focalLength = arrangement.builder.palette.random.focalLength()
    let reach = SIMD2(size.x, size.z) / 2 - 0.1
    guard
      let viewpoint = room.roomViewpoint(
        floor: 0, box: (-reach, reach), focalLength, &arrangement.builder.palette.random)
    else {
      return try thingRoom(seed: seed &+ 1 << 40, library: &library)
    }
    return (room.seen(from: viewpoint), focalLength)
  }
}

extension Arrangement {
  /// The kinds of furniture for each use of a room, along the walls and free.
  private static let uses: [(walls: [String], free: [String])] = [
    (
      ["kitchen unit", "refrigerator", "stove", "cabinet", "sink", "washing machine", "shelf"],
      ["table", "chair", "stool", "bin"]
    ),
    (
      ["desk", "bookcase", "cabinet", "board", "shelf", "bin"],
      ["office chair", "desk", "table", "chair"]
    ),
    (
      ["sofa", "tv stand", "bookcase", "cabinet", "lamp", "piano", "television", "guitar"],
      ["coffee table", "armchair", "sofa", "lamp", "table"]
    ),
    (
      ["bed", "wardrobe", "night stand", "dresser", "lamp", "desk"], ["chair", "stool", "armchair"]
    ),
    (["toilet", "sink", "shower", "washing machine", "cabinet", "shelf"], ["bin", "stool"]),
    (
      [
        "shelf", "bookcase", "clutter of boxes", "wardrobe", "cabinet", "fire extinguisher",
        "ironing board", "bin",
      ], ["clutter of boxes", "gym equipment", "stairs", "bench", "table"]
    ),
  ]

  /// The kinds of furniture that carry things.
  private static let carriers: Set<String> = [
    "table", "desk", "coffee table", "bench", "kitchen unit", "cabinet", "bookcase", "shelf",
    "night stand",
    "dresser", "tv stand", "refrigerator", "washing machine", "stove", "bed", "sofa", "piano",
  ]

  /// Adds furniture, with things on the furniture, the floor and the walls.
  fileprivate mutating func furnishForUse() throws {
    let use = builder.palette.random.pick(Self.uses)
    let objects = objects(upTo: 0.5)
    let area = builder.size.x * builder.size.z
    let isTidy = builder.palette.random.chance(0.3)
    let atWalls = builder.palette.random(4...6 + Int(area / 4))
    for index in 0..<atWalls + builder.palette.random(1...3 + Int(area / 6)) {
      let isAtWall = index < atWalls
      // Rarely, a piece belongs to another use.
      let foreign = builder.palette.random.pick(Self.uses)
      let own = builder.palette.random.chance(0.85) ? use : foreign
      let kind = builder.palette.random.pick(isAtWall ? own.walls : own.free)
      let pieces = furniture([kind])
      guard !pieces.isEmpty else { continue }
      let thing = builder.palette.random.pick(pieces)
      guard let piece = try furnish(thing, alongWall: isAtWall) else { continue }
      if Self.carriers.contains(kind), builder.palette.random.chance(0.85) {
        let wanted = builder.palette.random(1...(isTidy ? 4 : 14))
        _ = try fill(piece, wanted: wanted, things: objects)
      }
    }
    let reach = SIMD2(builder.size.x, builder.size.z) / 2 * 0.95
    if !isTidy {
      _ = try clutter(
        builder.palette.random(0...8), middle: .zero, reach: reach, yaw: 0, things: objects)
    }
    try hangOnWallsAndCeiling()
  }

  /// Adds pictures, shelves and air conditioners to the walls, and lamps under the ceiling.
  private mutating func hangOnWallsAndCeiling() throws {
    let hanging = library.things.filter {
      $0.group == "furniture" && $0.stands == "wall"
        && !["window", "curtain", "mirror"].contains($0.kind)
    }
    for _ in 0..<builder.palette.random(0...3) {
      let wall = builder.palette.random(0...3)
      let reach = builder.extent(ofWall: wall).half
      try hang(
        1, wall: wall, along: -reach...reach, heights: 1.2...builder.size.y - 0.3, things: hanging)
    }
    let lamps = library.things.filter { $0.stands == "ceiling" && $0.kind == "lamp" }
    guard !lamps.isEmpty, builder.palette.random.chance(0.4) else { return }
    var lamp = try solid(of: builder.palette.random.pick(lamps), axes: .room)
    lamp.castsShadow = false
    let spot = SIMD2(builder.palette.random(-0.3...0.3), builder.palette.random(-0.3...0.3))
    let height = builder.size.y - lamp.shape.half.y - 0.002
    keep(lamp, at: [spot.x * builder.size.x, height, spot.y * builder.size.z])
  }
}
