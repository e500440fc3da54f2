import SystemEssentials

/// The library's things and materials in a room.
extension Arrangement {
  /// The poses of a thing that is put down.
  enum Pose {
    case upright, lying, upsideDown
  }

  /// A thing around the room's origin.
  ///
  /// - Parameters:
  ///   - axes: The thing's axes in the room.
  ///   - scale: The factor on the thing's true size.
  mutating func solid(
    of thing: ThingLibrary.Thing, axes: Basis, scale: Float = 1
  ) throws -> Solid {
    let model = try library.model(of: thing.name)
    let shape = Shape(
      .mesh, center: .zero, half: model.half * scale, axes: axes, mesh: model.mesh)
    return Solid(shape, material(of: thing, model))
  }

  /// The thing's material, with grain if texels are coarse. Evenly colored things may be tinted.
  private mutating func material(
    of thing: ThingLibrary.Thing, _ model: ThingLibrary.Model
  ) -> Material {
    var tint = Vector(repeating: 1)
    let isEven = model.texel == 0 || thing.name.hasPrefix("pas_")
    if isEven, builder.palette.random.chance(0.6) {
      let cloth = builder.palette.cloth()
      tint = cloth / max(cloth.max(), 0.02) * builder.palette.random(0.35...1)
    }
    var material = Material(grain(texel: isEven ? 0 : model.texel, tint: tint))
    if builder.palette.random.chance(0.2) { material.gloss = builder.palette.random(0.02...0.06) }
    material.picture = model.picture
    if thing.kind == "window" || thing.kind == "mirror" { material.hidesDepth = true }
    return material
  }

  /// Grain that begins where a picture's detail ends. Its coarsest features have a texel's size.
  ///
  /// Without grain, blur would reveal near things.
  private mutating func grain(texel: Float, tint: Vector = [1, 1, 1]) -> Texture {
    let size = texel > 0 ? min(max(texel, 0.0005), 0.02) : builder.palette.random(0.001...0.005)
    let first = tint * 1.06
    let second = first * builder.palette.random(texel > 0 ? 0.6...0.85 : 0.8...0.95)
    let seed = UInt32(builder.palette.random(0...1_000_000))
    return switch builder.palette.random(0...2) {
    case 0: Texture(.carpet, first, second, scale: 5 * size, seed: seed)
    case 1: Texture(.speckle, first, second, scale: 3 * size, seed: seed)
    default: Texture(.plaster, first, second, scale: 3 * size, seed: seed)
    }
  }

  /// A surface of the library for a use, or a painted surface if the library has none.
  mutating func surface(for use: String) throws -> Material {
    let fitting = library.surfaces.filter { $0.use.split(separator: " ").contains(Substring(use)) }
    guard !fitting.isEmpty else { return builder.palette.painted() }
    let surface = builder.palette.random.pick(fitting)
    let picture = try library.picture(of: surface)
    let size = surface.edge * builder.palette.random(0.6...1.2)
    var material: Material
    if surface.kind == "Wood" || surface.kind == "Planks" {
      let seed = UInt32(builder.palette.random(0...1_000_000))
      material = Material(
        Texture(
          .wood, [1.1, 1.1, 1.1], Vector(repeating: builder.palette.random(0.65...0.9)),
          scale: builder.palette.random(0.3...1), seed: seed))
    } else {
      material = Material(grain(texel: size / Float(library.pictures[picture].width)))
    }
    (material.picture, material.pictureSize) = (picture, size)
    if use == "appliance" {
      material.gloss = 0.12
    } else if use == "floor" || use == "table", builder.palette.random.chance(0.3) {
      material.gloss = 0.03
    }
    return material
  }

  /// The things of at most this length. Things with a picture are listed three times.
  func objects(upTo length: Float) -> [ThingLibrary.Thing] {
    library.things.filter {
      $0.group == "object" && $0.stands == "table" && ($0.size.max() ?? 0) <= length
    }.flatMap { $0.name.hasPrefix("mk_") ? [$0] : [$0, $0, $0] }
  }

  /// The axes of a thing in a pose, after a turn about the vertical.
  mutating func axes(_ pose: Pose, yaw: Float) -> Basis {
    let turn = Basis(yaw: yaw)
    switch pose {
    case .upright: return turn
    case .upsideDown: return turn(Basis(x: [-1, 0, 0], y: [0, -1, 0], z: [0, 0, 1]))
    case .lying:
      // The first turn is about the thing's upright axis, so any side may be below.
      let quarter = Basis(yaw: Float(builder.palette.random(0...3)) * .pi / 2)
      return turn(Basis(x: [1, 0, 0], y: [0, 0, 1], z: [0, -1, 0])(quarter))
    }
  }

  /// Mostly upright, sometimes fallen over, rarely upside down, at any angle or along the walls.
  mutating func randomAxes() -> Basis {
    let chance = builder.palette.random.unit()
    let pose: Pose = chance < 0.72 ? .upright : chance < 0.93 ? .lying : .upsideDown
    let yaw =
      builder.palette.random.chance(0.25)
      ? Float(builder.palette.random(0...3)) * .pi / 2 + builder.palette.random(-0.08...0.08)
      : builder.palette.random(-3.1416...3.1416)
    return axes(pose, yaw: yaw)
  }
}
