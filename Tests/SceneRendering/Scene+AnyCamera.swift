import SystemEssentials

extension Scene {
  /// A furnished room with mirrors for a camera of 40 to 100 degrees at any height, often tilted or
  /// close. Phones and headsets take such photos, unlike a Kinect on a tripod.
  static func anyCamera(seed: UInt64) -> (scene: Scene, focalLength: Float) {
    var (builder, surroundings) = RoomBuilder.furnished(seed: seed)
    for _ in 0..<builder.palette.random(0...2) { builder.addMirror() }
    let room = builder.scene(in: surroundings)
    let focalLength = builder.palette.random.focalLength()
    return (
      room.seen(from: room.tiltedViewpoint(focalLength, &builder.palette.random)), focalLength
    )
  }

  /// The most varied of a few random views in which nothing is nearer than 0.25 m.
  private func tiltedViewpoint(_ focalLength: Float, _ random: inout SplitMix64) -> Viewpoint {
    mostVaried(of: 10, focalLength: focalLength, nearestAllowed: 0.25) {
      let position = Vector(
        random(-1...1) * (size.x / 2 - 0.3), min(random(0.4...2.1), size.y - 0.25),
        random(-1...1) * (size.z / 2 - 0.3))
      return Viewpoint(
        position: position, yaw: random(-3.1416...3.1416), pitch: random(-1.1...0.35),
        roll: (random.chance(0.2) ? 0.2 : 0.04) * random.normal())
    }
  }
}

extension RoomBuilder {
  /// Adds a framed mirror to a wall. The reflection has one bounce.
  mutating func addMirror() {
    let wall = palette.random(0...3)
    let size = SIMD2(palette.random(0.4...1.2), palette.random(0.5...1.6))
    guard let along = reserve(wall: wall, halfWidth: size.x / 2 + 0.06) else { return }
    var mirror = Furniture(reach: [size.x / 2, 0.03])
    mirror.box(palette.wood(), at: [0, -0.04, -0.01], size: [size.x + 0.08, size.y + 0.08, 0.02])
    mirror.box(.mirror, at: [0, 0, -0.022], size: [size.x, size.y, 0.006])
    let sill = min(palette.random(0.2...1), self.size.y - size.y - 0.1)
    put(mirror, wall: wall, along: along, height: max(sill, 0.05))
  }
}

extension Material {
  /// The material of silvered glass.
  static let mirror = Material(Texture(.plain, Vector(repeating: 0.8)), gloss: 0.92)

  /// Whether the surface shows another place: through a window's pane or in a mirror.
  var showsElsewhere: Bool { texture.pattern == .outdoors || gloss > 0.9 || hidesDepth }
}
