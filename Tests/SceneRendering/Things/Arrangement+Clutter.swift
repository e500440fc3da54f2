import SystemEssentials

/// Clutter: things on, in and above other things.
extension Arrangement {
  /// Puts things on a stretch of ground, some of them on top of other things.
  ///
  /// - Parameters:
  ///   - wanted: The largest number of things.
  ///   - middle: The center of the stretch, at the height of the ground.
  ///   - reach: Half of the stretch along x and z after a turn by `yaw`, in metres.
  /// - Returns: The centers of the placed things.
  mutating func clutter(
    _ wanted: Int, middle: Vector, reach: SIMD2<Float>, yaw: Float, things: [ThingLibrary.Thing]
  ) throws -> [Vector] {
    var placed: [Vector] = []
    guard !things.isEmpty else { return placed }
    // Things are gathered around a point, or spread over the stretch.
    let spread = builder.palette.random(0.35...1)
    let turn = Basis(yaw: yaw)
    let heart = SIMD2(
      builder.palette.random(-1...1) * (1 - spread), builder.palette.random(-1...1) * (1 - spread))
    for _ in 0..<wanted * 6 where placed.count < wanted {
      let thing = builder.palette.random.pick(things)
      let solid = try solid(
        of: thing, axes: randomAxes(), scale: builder.palette.random(0.92...1.08))
      let isStacked = !placed.isEmpty && builder.palette.random.chance(0.15)
      let share =
        heart
        + SIMD2(builder.palette.random(-1...1), builder.palette.random(-1...1)) * spread
      let spot = middle + turn([share.x * reach.x, 0, share.y * reach.y])
      let at = isStacked ? builder.palette.random.pick(placed) : spot
      let levels = isStacked ? middle.y + 0.01...middle.y + 0.6 : middle.y - 0.01...middle.y + 0.01
      let from = Vector(at.x, middle.y + 0.8, at.z)
      guard let ground = stand(solid, at: from, on: levels) else { continue }
      placed.append([at.x, ground + solid.shape.bounds.high.y, at.z])
    }
    return placed
  }

  /// Places a new box or tray, or a bin of the library, and fills it with a heap.
  mutating func fillBin(
    middle: Vector, reach: SIMD2<Float>, yaw: Float, things: [ThingLibrary.Thing]
  ) throws -> [Vector] {
    let bins = library.things.filter { $0.kind == "bin" && $0.size[1] < 0.45 && $0.size[1] > 0.15 }
    let turn = Basis(yaw: yaw)
    let offset = turn([
      builder.palette.random(-0.5...0.5) * reach.x, 0, builder.palette.random(-0.5...0.5) * reach.y,
    ])
    let place = Vector(middle.x, middle.y, middle.z) + offset
    let binYaw = yaw + (builder.palette.random.chance(0.5) ? 0 : builder.palette.random(-0.6...0.6))
    let inside: SIMD2<Float>
    if !bins.isEmpty, builder.palette.random.chance(0.4) {
      let bin = builder.palette.random.pick(bins)
      let solid = try solid(of: bin, axes: Basis(yaw: binYaw), scale: 1)
      let from = Vector(place.x, middle.y + 0.8, place.z)
      guard stand(solid, at: from, on: middle.y - 0.01...middle.y + 0.01) != nil else { return [] }
      inside = SIMD2(bin.size[0], bin.size[2]) / 2 * 0.6
    } else {
      var box = Furniture.bin(&builder.palette)
      if builder.palette.random.chance(0.4) {
        let board = try surface(for: "board")
        for index in box.solids.indices { box.solids[index].material = board }
      }
      let solids = box.placed(at: [place.x, middle.y + 2e-4, place.z], yaw: binYaw)
      guard solids.allSatisfy({ isFree($0.shape) }) else { return [] }
      builder.solids += solids
      inside = box.reach * 0.7
    }
    var placed: [Vector] = []
    let binTurn = Basis(yaw: binYaw)
    for _ in 0..<builder.palette.random(6...60) where !things.isEmpty {
      let tilt = Basis(
        yaw: builder.palette.random(-3.1416...3.1416), pitch: builder.palette.random(-0.15...0.15),
        roll: builder.palette.random(-0.15...0.15))
      let solid = try solid(
        of: builder.palette.random.pick(things), axes: tilt(axes(.lying, yaw: 0)))
      let spot =
        place
        + binTurn([
          builder.palette.random(-1...1) * inside.x, 0, builder.palette.random(-1...1) * inside.y,
        ])
      let from = Vector(spot.x, middle.y + 0.7, spot.z)
      let levels = middle.y + 0.002...middle.y + 0.3
      guard let ground = stand(solid, at: from, on: levels, support: .loose) else { continue }
      placed.append([spot.x, ground + solid.shape.bounds.high.y, spot.z])
    }
    return placed
  }

  /// Hangs flat things on a wall of the room, with the thin side towards the wall.
  ///
  /// - Parameters:
  ///   - wall: The number of the wall in ``RoomBuilder``.
  ///   - along: The range of positions on the wall, in metres from the wall's center.
  ///   - heights: The heights of the things' centers, in metres.
  mutating func hang(
    _ wanted: Int, wall: Int, along: ClosedRange<Float>, heights: ClosedRange<Float>,
    things: [ThingLibrary.Thing]
  ) throws {
    let flat = things.filter { thing in
      let sides = thing.size.sorted()
      return sides[0] < 0.08 && sides[0] < 0.45 * sides[2]
    }
    guard !flat.isEmpty else { return }
    let turn = Basis(yaw: builder.yaw(ofWall: wall))
    for _ in 0..<wanted * 4 {
      let thing = builder.palette.random.pick(flat)
      let thin = thing.size.indices.min { thing.size[$0] < thing.size[$1] } ?? 2
      // The thin side points along the wall's normal, +z of the wall's frame.
      let local: Basis =
        switch thin {
        case 0: Basis(x: [0, 0, 1], y: [0, 1, 0], z: [-1, 0, 0])
        case 1: Basis(x: [1, 0, 0], y: [0, 0, -1], z: [0, 1, 0])
        default: .room
        }
      let tilt = Basis(yaw: 0, roll: 0.05 * builder.palette.random.normal())
      let solid = try solid(of: thing, axes: turn(tilt(local)))
      let out = solid.shape.half[thin] + 0.001
      let spot = builder.point(
        wall: wall, along: builder.palette.random(along), out: out + 0.001,
        height: builder.palette.random(heights))
      keep(solid, at: spot)
    }
  }
}
