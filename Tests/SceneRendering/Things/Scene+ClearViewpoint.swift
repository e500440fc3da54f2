import SystemEssentials

/// Places for cameras among things.
extension Scene {
  /// Whether a camera fits: in the room, outside every box and at least 6 cm from anything.
  ///
  /// The boxes of whole rooms are ignored.
  func isClear(_ position: Vector) -> Bool {
    let margin: Float = 0.06
    guard contains(position), contains(position + [margin, margin, margin]),
      contains(position - [margin, margin, margin])
    else { return false }
    let isInside = solids.contains { solid in
      guard solid.shape.half.min() < 1 else { return false }
      let unit = solid.shape.unitPoint(position)
      return abs(unit.x) < 1 && abs(unit.y) < 1 && abs(unit.z) < 1
    }
    guard !isInside else { return false }
    for x in [Float(-1), 0, 1] {
      for y in [Float(-1), 0, 1] {
        for z in [Float(-1), 0, 1] where x != 0 || y != 0 || z != 0 {
          let direction = Vector(x, y, z).unit
          if depth(on: Ray(origin: position, direction: direction)) < margin { return false }
        }
      }
    }
    return true
  }

  /// Whether only the thing itself is between a camera and the thing's center.
  private func isSeen(_ target: Vector, from position: Vector) -> Bool {
    let ray = Ray(origin: position, direction: target - position)
    return depth(on: ray) * ray.direction.length > ray.direction.length - 0.25
  }

  /// The most varied of some views of things, from level to straight down.
  ///
  /// - Parameters:
  ///   - targets: The centers of the things.
  ///   - ground: The height of the ground, in metres.
  /// - Returns: A viewpoint, or `nil` if no camera fits.
  func nearViewpoint(
    _ targets: [Vector], ground: Float, _ focalLength: Float, _ random: inout SplitMix64
  ) -> Viewpoint? {
    mostVaried(of: 3, focalLength, nearestAllowed: 0.09, &random) { random in
      let target = random.pick(targets)
      let turn = random(-3.1416...3.1416)
      let chance = random.unit()
      let down =
        chance < 0.25
        ? random(1.3...1.5708)
        : chance < 0.6
          ? random(0.8...1.3) : chance < 0.87 ? random(0.35...0.8) : random(-0.05...0.35)
      // The logarithm of the height is uniform.
      let height = 0.15 * random.power(of: 8)
      let distance =
        down > 0.3 ? max(ground + height - target.y, 0.1) / sin(down) : 0.2 * random.power(of: 7)
      let position = target - Basis(yaw: turn, pitch: -down).z * min(distance, 1.6)
      guard position.y < ground + 1.3, isClear(position), isSeen(target, from: position) else {
        return nil
      }
      return Viewpoint(
        position: position, yaw: turn + 0.15 * random.normal(),
        pitch: -down + 0.1 * random.normal(),
        roll: (random.chance(0.2) ? 0.3 : 0.04) * random.normal())
    }
  }

  /// The most varied of some views of a room, from hand height, a corner or low above the floor.
  ///
  /// - Parameters:
  ///   - floor: The height of the floor, in metres.
  ///   - box: x and z of two corners of the free part of the room, in metres.
  /// - Returns: A viewpoint, or `nil` if no camera fits.
  func roomViewpoint(
    floor: Float, box: (low: SIMD2<Float>, high: SIMD2<Float>), _ focalLength: Float,
    _ random: inout SplitMix64
  ) -> Viewpoint? {
    mostVaried(of: 10, focalLength, nearestAllowed: 0.3, &random) { random in
      let chance = random.unit()
      let height =
        chance < 0.7
        ? random(0.9...1.7) : chance < 0.85 ? random(0.08...0.5) : random(1.6...2.2)
      var share = SIMD2(random.unit(), random.unit())
      // The camera is in a corner.
      if random.chance(0.3) {
        share = SIMD2(random.chance(0.5) ? 0.04 : 0.96, random.chance(0.5) ? 0.04 : 0.96)
      }
      let at = box.low + (box.high - box.low) * share
      let aim = box.low + (box.high - box.low) * SIMD2(random(0.2...0.8), random(0.2...0.8))
      let position = Vector(at.x, floor + height, at.y)
      guard isClear(position) else { return nil }
      return Viewpoint(
        position: position,
        yaw: random.chance(0.3) ? random(-3.1416...3.1416) : atan2(aim.x - at.x, aim.y - at.y),
        pitch: height < 0.5 ? random(-0.3...0.25) : random(-0.6...0.15),
        roll: (random.chance(0.15) ? 0.2 : 0.03) * random.normal())
    }
  }

  /// The most varied of the first few possible views among 300 random views.
  ///
  /// A choice among many views would favor wide backgrounds, and large things would be rare.
  private func mostVaried(
    of wanted: Int, _ focalLength: Float, nearestAllowed: Float, _ random: inout SplitMix64,
    _ candidate: (inout SplitMix64) -> Viewpoint?
  ) -> Viewpoint? {
    var possible: [Viewpoint] = []
    for _ in 0..<300 where possible.count < wanted {
      if let found = candidate(&random) { possible.append(found) }
    }
    guard !possible.isEmpty else { return nil }
    let count = possible.count
    return mostVaried(of: count, focalLength: focalLength, nearestAllowed: nearestAllowed) {
      possible.popLast()
    }
  }
}

extension SplitMix64 {
  /// A number in 1 to `largest` with a uniform logarithm.
  fileprivate mutating func power(of largest: Float) -> Float { pow(largest, unit()) }
}
