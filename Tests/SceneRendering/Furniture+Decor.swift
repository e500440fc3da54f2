import SystemEssentials

/// Plants, lamps, poles and things on walls.
extension Furniture {
  /// A potted plant with leaves on bent stems.
  static func plant(_ palette: inout Palette) -> Furniture {
    let height = palette.random(0.5...1.6)
    let pot = palette.random(0.1...0.19)
    let leaf = palette.leaf()
    let stemMaterial = Material(Palette.color(hue: 0.13, saturation: 0.5, value: 0.35))
    var plant = Furniture(reach: [pot + 0.2, pot + 0.2])
    plant.rod(
      palette.painted(), from: [0, 0, 0], to: [0, pot * 1.7, 0], radius: pot * 0.75, taper: 1.33)
    let stems = palette.random(4...8)
    for k in 0..<stems {
      let angle = Float(k) * 2.4 + palette.random(-0.4...0.4)
      let lean = palette.random(0.05...0.32)
      let outwards = Vector(cos(angle), 0, sin(angle))
      let tip = outwards * lean + [0, height * palette.random(0.6...1), 0]
      let base = Vector(0, pot * 1.6, 0) + outwards * 0.03
      plant.rod(stemMaterial, from: base, to: tip, radius: 0.007, taper: 0.6)
      for step in 1...4 {
        let share = Float(step) / 4
        let at = mix(base, tip, share) + outwards * 0.05
        let size = palette.random(0.1...0.2) * (1.2 - 0.4 * share)
        let turn = Basis(
          yaw: -angle + 1.57, pitch: palette.random(-0.5...0.6), roll: palette.random(-0.6...0.6))
        let shape = Shape(.ellipsoid, center: at, half: [size * 0.35, 0.006, size], axes: turn)
        plant.add(Solid(shape, leaf))
      }
    }
    return plant
  }

  /// The stand and the shade of a floor lamp, which shines from `shadeCenter`.
  static func floorLamp(_ palette: inout Palette, height: Float, isOn: Bool) -> Furniture {
    let metal = palette.metal()
    let radius = palette.random(0.14...0.22)
    var lamp = Furniture(reach: [0.2, 0.2])
    lamp.rod(metal, from: [0, 0, 0], to: [0, 0.025, 0], radius: 0.15)
    lamp.rod(metal, from: [0, 0, 0], to: [0, height - 0.1, 0], radius: 0.012)
    let shade = Material(Texture(.plain, [1, 0.86, 0.62]), glow: isOn ? 2.2 : 0)
    lamp.rod(
      isOn ? shade : palette.upholstery(), from: [0, height - 0.14, 0], to: [0, height + 0.14, 0],
      radius: radius, taper: palette.random(0.5...1))
    lamp.solids[lamp.solids.count - 1].castsShadow = !isOn
    return lamp
  }

  /// A thin pole from floor to ceiling, or a coat stand.
  static func pole(_ palette: inout Palette, ceiling: Float) -> Furniture {
    var pole = Furniture(reach: [0.12, 0.12])
    let material = palette.random.chance(0.5) ? palette.metal() : palette.wood()
    if palette.random.chance(0.4) {
      pole.rod(
        material, from: [0, 0, 0], to: [0, ceiling, 0], radius: palette.random(0.02...0.05))
      return pole
    }
    pole.rod(material, from: [0, 0, 0], to: [0, 1.75, 0], radius: 0.02)
    for k in 0..<5 {
      let out = Vector(cos(Float(k) * 1.256), 0, sin(Float(k) * 1.256))
      pole.rod(material, from: [0, 1.55, 0], to: out * 0.17 + [0, 1.72, 0], radius: 0.01)
      pole.rod(material, from: [0, 0.15, 0], to: out * 0.25, radius: 0.014)
    }
    if palette.random.chance(0.6) {
      let cloth = palette.cloth()
      let shape = Shape(
        .frustum, center: [0.05, 1.15, -0.12], half: [0.24, 0.45, 0.1], axes: .room, taper: 0.7)
      pole.add(Solid(shape, Material(Texture(.weave, cloth, cloth * 0.6))))
    }
    return pole
  }

  /// Boxes, balls and baskets that lie on the floor.
  static func clutter(_ palette: inout Palette) -> Furniture {
    var piece = Furniture(reach: [0.25, 0.25])
    switch palette.random(0...3) {
    case 0:
      let radius = palette.random(0.1...0.35)
      piece.add(.sphere(palette.upholstery(), center: [0, radius, 0], radius: radius))
    case 1:
      let card = Palette.color(hue: 0.08, saturation: 0.4, value: 0.66)
      var y: Float = 0
      for k in 0..<palette.random(1...3) {
        let side = 0.45 - 0.1 * Float(k)
        let height = palette.random(0.2...0.36)
        piece.box(
          Material(Texture(.plaster, card, card * 0.85, seed: UInt32(k))), at: [0, y, 0],
          size: [side, height, side * 0.8], yaw: palette.random(-0.6...0.6))
        y += height
      }
    case 2:
      let material = palette.upholstery()
      piece.rod(material, from: [0, 0, 0], to: [0, 0.35, 0], radius: 0.16, taper: 1.25)
    default:
      piece.rod(
        palette.upholstery(), from: [0, 0, 0], to: [0, 0.38, 0], radius: palette.random(0.22...0.3))
    }
    return piece
  }

  /// A framed picture or mirror for a wall. The back is at z = 0, and the center at the origin.
  static func frame(_ palette: inout Palette) -> Furniture {
    let size = SIMD2(palette.random(0.25...1), palette.random(0.25...0.8))
    var frame = Furniture(reach: [size.x / 2, 0.03])
    let border = palette.random(0.02...0.06)
    let outer = size + border * 2
    frame.add(.box(palette.wood(), center: [0, 0, -0.015], size: [outer.x, outer.y, 0.03]))
    let mat = Material(Palette.color(hue: 0.12, saturation: 0.05, value: 0.9))
    frame.add(.box(mat, center: [0, 0, -0.03], size: [size.x, size.y, 0.004]))
    let inner = size * palette.random(0.65...1)
    frame.add(.box(palette.picture(), center: [0, 0, -0.033], size: [inner.x, inner.y, 0.004]))
    return frame
  }

  /// A panelled door of the given size in a frame. The back is at z = 0.
  static func door(_ palette: inout Palette) -> Furniture {
    let (leaf, jamb) = (
      palette.random.chance(0.5) ? palette.painted() : palette.wood(), palette.painted()
    )
    var door = Furniture(reach: [0.5, 0.06])
    door.box(jamb, at: [-0.47, 0, -0.02], size: [0.08, 2.1, 0.05])
    door.box(jamb, at: [0.47, 0, -0.02], size: [0.08, 2.1, 0.05])
    door.box(jamb, at: [0, 2.03, -0.02], size: [1.02, 0.08, 0.05])
    door.box(leaf, at: [0, 0, -0.015], size: [0.86, 2.03, 0.03])
    if palette.random.chance(0.7) {
      for x in [Float(-0.2), 0.2] {
        door.box(leaf, at: [x, 0.2, -0.03], size: [0.28, 0.7, 0.018])
        door.box(leaf, at: [x, 1.05, -0.03], size: [0.28, 0.8, 0.018])
      }
    }
    let metal = palette.metal()
    door.rod(metal, from: [0.36, 1.02, -0.03], to: [0.36, 1.02, -0.09], radius: 0.012)
    door.rod(metal, from: [0.37, 1.02, -0.085], to: [0.25, 1.02, -0.085], radius: 0.011)
    return door
  }
}
