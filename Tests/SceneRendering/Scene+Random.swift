import SystemEssentials

extension RoomBuilder {
  /// A furnished room of 2.5 to 8 metres per side, and the materials of the six faces.
  static func furnished(seed: UInt64) -> (RoomBuilder, Scene.Surroundings) {
    var palette = Palette(seed: seed)
    var size = Vector(
      palette.random(2.5...6), palette.random(2.35...3.1), palette.random(2.8...8))
    if palette.random.chance(0.3) { size = Vector(size.z, size.y, size.x) }
    let wall = palette.wall()
    let accent = palette.random.chance(0.35) ? palette.wall() : wall
    let surroundings = Scene.Surroundings(
      floor: palette.floor(), ceiling: palette.ceiling(), walls: [wall, wall, wall, accent])
    var builder = RoomBuilder(palette: palette, size: size)
    builder.addSkirting()
    if size.z > 5, size.x > 2.6, builder.palette.random.chance(0.35) { builder.addPartition(wall) }
    for _ in 0..<builder.palette.random(1...2) { builder.addDoor() }
    let isNight = builder.palette.random.chance(0.3)
    let daylight: Float = isNight ? 0 : builder.palette.random(1...4)
    for _ in 0..<builder.palette.random(1...3) { builder.addWindow(daylight: daylight) }
    let hasLampsOn = isNight || builder.palette.random.chance(0.6)
    builder.addCeilingLamps(strength: hasLampsOn ? builder.palette.random(0.6...1.4) : 0)
    if builder.lights.isEmpty { builder.addCeilingLamps(strength: 1) }
    if builder.palette.random.chance(0.25) { builder.addPillar(wall) }
    builder.furnish()
    builder.addPictures(builder.palette.random(2...7))
    return (builder, surroundings)
  }

  /// The present room. The camera is in the center until ``Scene/seen(from:)``.
  func scene(in surroundings: Scene.Surroundings) -> Scene {
    Scene(
      size: size, surroundings: surroundings, solids: solids, lights: lights,
      viewpoint: Viewpoint(position: [0, size.y / 2, 0]))
  }
}

extension Scene {
  /// A furnished room of 2.5 to 8 metres per side, with a viewpoint that shows much of it.
  ///
  /// - Parameter seed: Determines the room. Equal seeds give equal rooms.
  public static func randomRoom(seed: UInt64) -> Scene {
    var (builder, surroundings) = RoomBuilder.furnished(seed: seed)
    let unseen = builder.scene(in: surroundings)
    return unseen.seen(from: unseen.bestViewpoint(&builder.palette.random))
  }

  /// The most varied of some random views in which nothing is nearer than 0.7 m.
  func bestViewpoint(_ random: inout SplitMix64) -> Viewpoint {
    mostVaried(of: 40, nearestAllowed: 0.7) {
      let height = min(random(0.9...1.75), size.y - 0.5)
      let position = Vector(
        random(-1...1) * (size.x / 2 - 0.35), height, random(-1...1) * (size.z / 2 - 0.35))
      // The camera looks at a point near the room's center, mostly a little down.
      let target = Vector(
        random(-0.3...0.3) * size.x, random(0.3...1.3), random(-0.3...0.3) * size.z)
      let gaze = target - position
      let across = (gaze.x * gaze.x + gaze.z * gaze.z).squareRoot()
      return Viewpoint(
        position: position, yaw: atan2(gaze.x, gaze.z),
        pitch: clamp(atan2(gaze.y, across), -0.5, 0.15), roll: 0.015 * random.normal())
    }
  }

  /// The most varied of `count` random views, or the scene's viewpoint if there is no view.
  ///
  /// - Parameter focalLength: The camera's focal length in units of the picture's width.
  func mostVaried(
    of count: Int, focalLength: Float? = nil, nearestAllowed: Float,
    _ candidate: () -> Viewpoint?
  ) -> Viewpoint {
    var best = (score: -Float.infinity, viewpoint: viewpoint)
    for _ in 0..<count {
      guard let candidate = candidate() else { continue }
      let camera = SceneCamera(
        candidate, width: 32, height: 24, focalLength: focalLength.map { 32 * $0 })
      let score = variety(of: camera, nearestAllowed: nearestAllowed)
      if score > best.score { best = (score, candidate) }
    }
    return best.viewpoint
  }

  /// The number of surfaces in a small view, minus a penalty for things nearer than
  /// `nearestAllowed` metres.
  private func variety(of camera: SceneCamera, nearestAllowed: Float) -> Float {
    var seen: Set<Int32> = []
    var nearest = Float.infinity
    var logDepth: [Float] = []
    for y in 0..<camera.height {
      for x in 0..<camera.width {
        let point = surface(on: camera.ray(x: Float(x) + 0.5, y: Float(y) + 0.5))
        seen.insert(point.identity)
        nearest = min(nearest, point.t)
        logDepth.append(log(max(point.t, 0.01)))
      }
    }
    let mean = logDepth.reduce(0, +) / Float(logDepth.count)
    let variance = logDepth.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Float(logDepth.count)
    let tooClose = max(0, nearestAllowed - nearest) * 200
    return min(Float(seen.count), 40) + 40 * min(variance.squareRoot(), 0.5) - tooClose
  }
}
