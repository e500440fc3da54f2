import SystemEssentials

extension Scene {
  /// A room of the library with further things, lit from the ceiling and through windows.
  static func storedRoom(
    _ room: ThingLibrary.Room, seed: UInt64, library: inout ThingLibrary
  ) throws -> (scene: Scene, focalLength: Float) {
    var palette = Palette(seed: seed)
    let box = palette.random.pick(room.cameraBoxes)
    // The room's z changes its sign, like the z of the things.
    let low = SIMD2(min(box[0], box[2]), -max(box[1], box[3]))
    let high = SIMD2(max(box[0], box[2]), -min(box[1], box[3]))
    var arrangement = Arrangement(
      RoomBuilder(palette: palette, size: [1, 1, 1]), library: library)
    let items = try room.items.map { try arrangement.solid(of: $0) }
    let whole = items.dropFirst().reduce(items[0].shape.bounds) { $0.union($1.shape.bounds) }
    // The tracer's room encloses the stored room with a margin.
    let margin = Vector(0.3, 0.05, 0.3)
    let size = whole.high - whole.low + margin * 2
    let shift = Vector(-whole.center.x, margin.y - whole.low.y, -whole.center.z)
    var builder = RoomBuilder(palette: arrangement.builder.palette, size: size)
    builder.solids = items.map { $0.moved(turn: .room, to: shift) }
    let sides = SIMD2(shift.x, shift.z)
    let free = (low: low + sides, high: high + sides)
    let outdoors = Material(builder.palette.outdoors(), glow: 1.5)
    let surroundings = Surroundings(
      floor: builder.palette.floor(), ceiling: builder.palette.ceiling(),
      walls: [outdoors, outdoors, outdoors, outdoors])
    arrangement = Arrangement(builder, library: arrangement.library)
    arrangement.light(free, floor: shift.y)
    try arrangement.strew(free, floor: shift.y)
    library = arrangement.library
    let middle = (free.low + free.high) / 2
    let eye = Vector(middle.x, shift.y + 1.2, middle.y)
    let scene = arrangement.scene(
      in: surroundings, viewpoint: Viewpoint(position: eye, pitch: -0.2), meteringPoint: eye)
    let focalLength = arrangement.builder.palette.random.focalLength()
    guard
      let viewpoint = scene.roomViewpoint(
        floor: shift.y, box: free, focalLength, &arrangement.builder.palette.random)
    else {
      return try thingRoom(seed: seed &+ 1 << 40, library: &library)
    }
    return (scene.seen(from: viewpoint), focalLength)
  }
}

extension Arrangement {
  /// A thing of a stored room. The pose is that of the center of the thing's base.
  fileprivate mutating func solid(of item: ThingLibrary.Room.Item) throws -> Solid {
    let known = library.things.first { $0.name == item.thing }
    let thing =
      known
      ?? ThingLibrary.Thing(
        name: item.thing, group: "scene part", kind: "other", stands: "floor", size: [1, 1, 1])
    /// A column of the pose, between frames whose z differs in sign.
    func column(_ k: Int) -> Vector {
      Vector(item.pose[0][k], item.pose[1][k], -item.pose[2][k]) * (k == 2 ? -1 : 1)
    }
    let axes = Basis(x: column(0).unit, y: column(1).unit, z: column(2).unit)
    let solid = try solid(of: thing, axes: axes)
    let center = library.meshes[solid.shape.mesh].center
    return solid.moved(turn: .room, to: axes(center) + column(3))
  }

  /// Adds lamps under the ceiling of a part of a room, and windows on even parts of the walls.
  fileprivate mutating func light(_ box: (low: SIMD2<Float>, high: SIMD2<Float>), floor: Float) {
    let extent = box.high - box.low
    let area = extent.x * extent.y
    let count = min(4, max(1, Int(area / 12)))
    let isLong = extent.x > extent.y
    let warm = Vector(1, builder.palette.random(0.8...1), builder.palette.random(0.6...0.95))
    let strength = builder.palette.random(0.5...1.4)
    for k in 0..<count {
      var share = SIMD2(builder.palette.random(0.35...0.65), builder.palette.random(0.35...0.65))
      share[isLong ? 0 : 1] = (Float(k) + 0.5) / Float(count)
      let at = box.low + extent * share
      let up = Ray(origin: [at.x, floor + 1.4, at.y], direction: [0, 1, 0])
      let ceiling = min(floor + 1.4 + distance(on: up), builder.size.y)
      builder.lights.append(
        .lamp(
          at: [at.x, ceiling - 0.12, at.y], radius: 0.2,
          power: warm * strength * max(area, 8) * 0.3 / Float(count)))
    }
    for _ in 0..<builder.palette.random(0...8) where builder.lights.count < count + 2 {
      addPane(seenFrom: (box.low + box.high) / 2, floor: floor)
    }
  }

  /// Adds a shining pane before an even stretch of wall, in a random direction.
  private mutating func addPane(seenFrom middle: SIMD2<Float>, floor: Float) {
    let eye = Vector(middle.x, floor + 1.5, middle.y)
    let axes = Basis(yaw: builder.yaw(ofWall: builder.palette.random(0...3)))
    let half = SIMD2(builder.palette.random(0.3...0.7), builder.palette.random(0.4...0.6))
    let offset = axes.x * builder.palette.random(-1.5...1.5)
    let corners = [(-1, -1), (1, -1), (1, 1), (-1, 1), (0, 0)].map { u, v in
      let from = eye + offset + axes.x * (Float(u) * half.x) + [0, Float(v) * half.y, 0]
      return distance(on: Ray(origin: from, direction: axes.z))
    }
    guard let nearest = corners.min(), let farthest = corners.max(), farthest - nearest < 0.02,
      nearest > 0.5
    else { return }
    let daylight: Float = builder.palette.random(1...4)
    let center = eye + offset + axes.z * (nearest - 0.02)
    let pane = Material(builder.palette.outdoors(), glow: builder.palette.random(1.2...2.4))
    let shape = Shape(.box, center: center, half: [half.x, half.y, 0.004], axes: axes)
    builder.solids.append(Solid(shape, pane))
    let frame = builder.palette.painted()
    let (upright, level) = (
      Vector(0.025, half.y + 0.025, 0.015), Vector(half.x + 0.025, 0.025, 0.015)
    )
    for side in [Float(-1), 1] {
      let beside = center + axes.x * (side * half.x)
      let above = center + Vector(0, side * half.y, 0)
      for (middle, reach) in [(beside, upright), (above, level)] {
        builder.solids.append(
          Solid(Shape(.box, center: middle, half: reach, axes: axes), frame))
      }
    }
    builder.lights.append(
      Light(
        center: center - axes.z * 0.03, halfU: axes.x * half.x, halfV: [0, half.y, 0],
        facing: -axes.z, power: Vector(0.9, 0.97, 1.1) * daylight * half.x * half.y * 4))
  }

  /// Puts things on every piece that can carry things.
  fileprivate mutating func strew(
    _ box: (low: SIMD2<Float>, high: SIMD2<Float>), floor: Float
  ) throws {
    let objects = objects(upTo: 0.5)
    guard !objects.isEmpty else { return }
    let wanted = builder.palette.random(4...40)
    var found = 0
    for _ in 0..<wanted * 5 where found < wanted {
      let share = SIMD2(builder.palette.random.unit(), builder.palette.random.unit())
      let at = box.low + (box.high - box.low) * share
      let solid = try solid(of: builder.palette.random.pick(objects), axes: randomAxes())
      let from = Vector(at.x, floor + builder.palette.random(0.4...1.6), at.y)
      // The floor is most of the area, so things are rarely on the floor.
      let lowest: Float = builder.palette.random.chance(0.1) ? -0.02 : 0.2
      if stand(solid, at: from, on: floor + lowest...floor + 1.4) != nil { found += 1 }
    }
  }
}
