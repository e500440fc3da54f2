import SystemEssentials

extension Scene {
  /// A bench, desk or floor with things in true sizes on a mat, in a tray or in a bin. The camera
  /// of 40 to 100 degrees is 0.25 to 1.4 m away, mostly above.
  static func bench(seed: UInt64) -> (scene: Scene, focalLength: Float) {
    var (builder, surroundings) = RoomBuilder.furnished(seed: seed)
    let isFloor = builder.palette.random.chance(0.15)
    let (width, depth) = (builder.palette.random(0.9...2.4), builder.palette.random(0.6...1.6))
    let height: Float = isFloor ? 0.002 : builder.palette.random(0.45...1.05)
    builder.clearMiddle(reach: [width / 2 + 0.4, depth / 2 + 0.4])
    var bench = Furniture(reach: [width / 2, depth / 2])
    if !isFloor {
      bench.box(
        builder.palette.workTop(), at: [0, height - 0.04, 0], size: [width, 0.04, depth])
      bench.legs(
        builder.palette.metal(), width: width, depth: depth, height: height - 0.04,
        thickness: 0.06, isRound: false)
    }
    bench.add(
      .workPlace(&builder.palette, width: width * 0.8, depth: depth * 0.8), at: [0, height, 0])
    builder.solids += bench.placed(at: .zero, yaw: 0)
    let room = builder.scene(in: surroundings)
    let focalLength = builder.palette.random.focalLength()
    let target = Vector(
      builder.palette.random(-0.25...0.25) * width, height,
      builder.palette.random(-0.25...0.25) * depth)
    let viewpoint = room.viewpointAbove(target, focalLength, &builder.palette.random)
    return (room.seen(from: viewpoint), focalLength)
  }

  /// The most varied of a few views of a point. Nothing is nearer than 0.1 m, and half look down.
  private func viewpointAbove(
    _ target: Vector, _ focalLength: Float, _ random: inout SplitMix64
  ) -> Viewpoint {
    let isSteep = random.chance(0.6)
    return mostVaried(of: 4, focalLength: focalLength, nearestAllowed: 0.1) {
      let (turn, down) = (
        random(-3.1416...3.1416), isSteep ? random(1.1...1.57) : random(0.3...1.1)
      )
      let distance = 0.25 * pow(5.6, random.unit())
      let position = target - Basis(yaw: turn, pitch: -down).z * distance
      guard contains(position) else { return nil }
      return Viewpoint(
        position: position, yaw: turn, pitch: -down + 0.05 * random.normal(),
        roll: 0.05 * random.normal())
    }
  }
}

extension Furniture {
  /// A mat, a tray, a bin or the bare surface, with things in and around it.
  fileprivate static func workPlace(_ palette: inout Palette, width: Float, depth: Float)
    -> Furniture
  {
    var place = Furniture(reach: [width / 2, depth / 2])
    var ground: Float = 0
    if palette.random.chance(0.4) {
      ground = palette.random(0.001...0.006)
      place.box(
        palette.mat(), at: .zero,
        size: [width * palette.random(0.4...1), ground, depth * palette.random(0.4...1)],
        yaw: palette.random.chance(0.3) ? palette.random(-0.5...0.5) : 0)
    }
    let inside: SIMD2<Float>
    switch palette.random(0...4) {
    case 0, 1:
      let bin = Furniture.bin(&palette)
      inside = bin.reach * 0.8
      place.add(bin, at: [0, ground, 0])
      ground += 0.006
    default: inside = SIMD2(width, depth) * palette.random(0.25...0.5)
    }
    let fill = palette.random.chance(0.3) ? palette.random(0...0.12) : 0
    for _ in 0..<palette.random(0...22) {
      let at = Vector(
        palette.random(-1...1) * inside.x, ground + palette.random(0...1) * fill,
        palette.random(-1...1) * inside.y)
      place.add(.benchThing(&palette), at: at, yaw: palette.random(-3.1416...3.1416))
    }
    return place
  }

  /// A tray or bin with four walls and an open top.
  static func bin(_ palette: inout Palette) -> Furniture {
    let (width, depth) = (palette.random(0.24...0.65), palette.random(0.2...0.45))
    let height =
      palette.random.chance(0.4) ? palette.random(0.02...0.06) : palette.random(0.08...0.32)
    let wall = palette.random(0.004...0.012)
    let material = palette.plastic()
    var bin = Furniture(reach: [width / 2, depth / 2])
    bin.box(material, at: .zero, size: [width, 0.005, depth])
    for side in [Float(-1), 1] {
      bin.box(material, at: [side * width / 2, 0, 0], size: [wall, height, depth])
      bin.box(material, at: [0, 0, side * depth / 2], size: [width, height, wall])
      // The rim of the bin.
      bin.box(material, at: [side * width / 2, height, 0], size: [0.025, 0.006, depth + 0.025])
      bin.box(material, at: [0, height, side * depth / 2], size: [width + 0.025, 0.006, 0.025])
    }
    return bin
  }
}

extension Palette {
  /// A top of laminate, terrazzo, steel, cloth or wood.
  fileprivate mutating func workTop() -> Material {
    switch random(0...7) {
    case 0, 1: return painted()
    case 2: return metal()
    case 3: return upholstery()
    case 4: return terrazzo()
    case 5: return perforated()
    default: return wood()
    }
  }

  /// A cutting mat, a sheet of cloth, a chequered calibration board or a perforated plate.
  fileprivate mutating func mat() -> Material {
    switch random(0...5) {
    case 0: return perforated()
    case 1:
      return Material(
        Texture(
          .checks, Vector(repeating: 0.8), Vector(repeating: 0.02), scale: random(0.03...0.12)))
    case 2: return rug()
    case 3: return terrazzo()
    default: return plastic()
    }
  }

  /// A plastic in saturated colors, grey or black.
  fileprivate mutating func plastic() -> Material {
    let color =
      random.chance(0.55)
      ? Self.color(hue: random(0...1), saturation: random(0.5...0.95), value: random(0.3...0.9))
      : Vector(repeating: random(0.02...0.75))
    return Material(Texture(.plaster, color, color * 0.95), gloss: 0.04)
  }

  private mutating func terrazzo() -> Material {
    let ground = Self.color(
      hue: random(0...0.6), saturation: random(0...0.2), value: random(0.4...0.9))
    return Material(
      Texture(
        .terrazzo, ground, cloth(), scale: random(0.02...0.08), seed: UInt32(random(0...1_000_000))),
      gloss: 0.04)
  }

  private mutating func perforated() -> Material {
    let plate = random.chance(0.5) ? Vector(repeating: random(0.3...0.8)) : cloth()
    return Material(Texture(.holes, plate, plate * 0.08, scale: random(0.0125...0.05)), gloss: 0.05)
  }
}
