import SystemEssentials

/// Rooms for things, and furniture of the library.
extension Arrangement {
  /// A room with windows, lamps and perhaps a door, and the materials of the six faces.
  static func emptyRoom(
    seed: UInt64, library: ThingLibrary, sides: ClosedRange<Float>
  ) throws -> (Arrangement, Scene.Surroundings) {
    var palette = Palette(seed: seed)
    let size = Vector(palette.random(sides), palette.random(2.3...3.1), palette.random(sides))
    var arrangement = Arrangement(RoomBuilder(palette: palette, size: size), library: library)
    let surroundings = try arrangement.surroundings()
    arrangement.builder.addSkirting()
    if arrangement.builder.palette.random.chance(0.7) { arrangement.builder.addDoor() }
    let isNight = arrangement.builder.palette.random.chance(0.25)
    let daylight: Float = isNight ? 0 : arrangement.builder.palette.random(0.8...4)
    for _ in 0..<arrangement.builder.palette.random(1...3) {
      arrangement.builder.addWindow(daylight: daylight)
    }
    let hasLampsOn = isNight || arrangement.builder.palette.random.chance(0.6)
    let strength = hasLampsOn ? arrangement.builder.palette.random(0.5...1.5) : 0
    arrangement.builder.addCeilingLamps(strength: strength)
    if arrangement.builder.lights.isEmpty { arrangement.builder.addCeilingLamps(strength: 1) }
    if isNight || arrangement.builder.palette.random.chance(0.3) {
      arrangement.builder.addFloorLamp()
    }
    return (arrangement, surroundings)
  }

  /// Faces with surfaces of the library, or with patterns of the palette.
  private mutating func surroundings() throws -> Scene.Surroundings {
    let isPictured = builder.palette.random.chance(0.55)
    let wall =
      isPictured && builder.palette.random.chance(0.7)
      ? try surface(for: "wall") : builder.palette.wall()
    let accent = builder.palette.random.chance(0.3) ? try surface(for: "wall") : wall
    let ceiling =
      isPictured && builder.palette.random.chance(0.2)
      ? try surface(for: "ceiling") : builder.palette.ceiling()
    return Scene.Surroundings(
      floor: isPictured ? try surface(for: "floor") : builder.palette.floor(), ceiling: ceiling,
      walls: [wall, wall, wall, accent])
  }

  /// The library's pieces of the given kinds that stand on the floor.
  func furniture(_ kinds: [String]) -> [ThingLibrary.Thing] {
    library.things.filter {
      $0.group == "furniture" && $0.stands == "floor" && kinds.contains($0.kind)
    }
  }

  /// Places a piece along a wall, with the longer side to the wall, or anywhere. Returns the shape.
  mutating func furnish(_ thing: ThingLibrary.Thing, alongWall: Bool) throws -> Shape? {
    let scale = builder.palette.random(0.94...1.06)
    for _ in 0..<10 {
      let wall = builder.palette.random(0...3)
      let isLong = thing.size[0] >= thing.size[2]
      let half = Float(builder.palette.random(0...1)) * .pi
      var yaw = builder.yaw(ofWall: wall) + half + (isLong ? 0 : .pi / 2)
      if !alongWall, builder.palette.random.chance(0.4) {
        yaw += builder.palette.random(-0.7...0.7)
      }
      let solid = try solid(of: thing, axes: Basis(yaw: yaw), scale: scale)
      let room = builder.extent(ofWall: wall)
      let (long, short) = (max(thing.size[0], thing.size[2]), min(thing.size[0], thing.size[2]))
      let free = room.half - long * scale / 2 - 0.02
      guard free > 0 else { continue }
      let out =
        alongWall
        ? short * scale / 2 + 0.03 : builder.palette.random(0.15...1) * 2 * room.distance
      let place = builder.point(
        wall: wall, along: builder.palette.random(-free...free), out: out,
        height: solid.shape.bounds.high.y + 2e-4)
      if keep(solid, at: place) { return builder.solids[builder.solids.count - 1].shape }
    }
    return nil
  }

  /// Puts things on the boards and the top of a piece of furniture.
  mutating func fill(_ piece: Shape, wanted: Int, things: [ThingLibrary.Thing]) throws -> [Vector] {
    var placed: [Vector] = []
    let bounds = piece.bounds
    let deepest = min(piece.half.x, piece.half.z)
    // A thing that is longer than the piece is deep would not stand on it.
    let fitting = things.filter { min($0.size[0], $0.size[2]) < 2 * deepest }
    guard !fitting.isEmpty else { return placed }
    for _ in 0..<wanted * 5 where placed.count < wanted {
      let solid = try solid(of: builder.palette.random.pick(fitting), axes: randomAxes())
      let spot =
        piece.center + piece.axes.x * (builder.palette.random(-0.9...0.9) * piece.half.x)
        + piece.axes.z * (builder.palette.random(-0.9...0.9) * piece.half.z)
      let isOnTop = builder.palette.random.chance(0.35)
      let height =
        isOnTop
        ? bounds.high.y + 0.5 : builder.palette.random(bounds.low.y + 0.05...bounds.high.y + 0.5)
      let from = Vector(spot.x, min(height, builder.size.y), spot.z)
      let levels = bounds.low.y + 0.03...max(bounds.high.y + 0.15, bounds.low.y + 0.03)
      guard let ground = stand(solid, at: from, on: levels) else { continue }
      placed.append([spot.x, ground + solid.shape.bounds.high.y, spot.z])
    }
    return placed
  }

  /// The scene of this arrangement.
  func scene(
    in surroundings: Scene.Surroundings, viewpoint: Viewpoint, meteringPoint: Vector? = nil
  ) -> Scene {
    Scene(
      size: builder.size, surroundings: surroundings, solids: builder.solids,
      lights: builder.lights, viewpoint: viewpoint, meshes: library.meshes,
      pictures: library.pictures, meteringPoint: meteringPoint)
  }
}
