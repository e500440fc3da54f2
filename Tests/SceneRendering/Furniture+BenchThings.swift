import SystemEssentials

/// Things on work benches and in bins, in true sizes.
extension Furniture {
  static func benchThing(_ palette: inout Palette) -> Furniture {
    switch palette.random(0...9) {
    case 0, 1: return pack(&palette)
    case 2: return screwdriver(&palette)
    case 3: return pliers(&palette)
    case 4: return hammer(&palette)
    case 5: return can(&palette)
    case 6: return fruit(&palette)
    case 7: return cubes(&palette)
    case 8: return cable(&palette)
    default: return smallThing(&palette)
    }
  }

  /// A printed box of groceries or parts, which stands, lies or leans.
  private static func pack(_ palette: inout Palette) -> Furniture {
    let size = Vector(
      palette.random(0.05...0.2), palette.random(0.02...0.08), palette.random(0.07...0.28))
    var pack = Furniture(reach: [size.x / 2, size.z / 2])
    pack.box(
      palette.picture(), at: .zero,
      size: palette.random.chance(0.3) ? Vector(size.x, size.z, size.y) : size,
      pitch: palette.random.chance(0.3) ? palette.random(-0.8...0.8) : 0)
    return pack
  }

  private static func screwdriver(_ palette: inout Palette) -> Furniture {
    var tool = Furniture(reach: [0.02, 0.11])
    tool.rod(
      Material(palette.cloth()), from: [0, 0.014, -0.11], to: [0, 0.014, -0.01],
      radius: palette.random(0.01...0.016), taper: 0.8)
    tool.rod(
      palette.metal(), from: [0, 0.014, -0.01], to: [0, 0.014, palette.random(0.06...0.14)],
      radius: 0.003)
    return tool
  }

  /// Two crossed arms with grips.
  private static func pliers(_ palette: inout Palette) -> Furniture {
    var tool = Furniture(reach: [0.04, 0.1])
    let (grip, steel) = (Material(palette.cloth()), palette.metal())
    let open = palette.random(0.01...0.05)
    for side in [Float(-1), 1] {
      tool.rod(
        grip, from: [side * open, 0.008, -0.12], to: [side * 0.008, 0.008, -0.02], radius: 0.007)
      tool.rod(
        steel, from: [side * 0.006, 0.008, -0.02], to: [-side * open * 0.25, 0.008, 0.05],
        radius: 0.006,
        taper: 0.5)
    }
    return tool
  }

  private static func hammer(_ palette: inout Palette) -> Furniture {
    var tool = Furniture(reach: [0.06, 0.16])
    tool.rod(palette.wood(), from: [0, 0.015, -0.16], to: [0, 0.015, 0.12], radius: 0.012)
    tool.rod(
      palette.metal(), from: [-0.05, 0.016, 0.12], to: [0.06, 0.016, 0.12], radius: 0.015,
      taper: 0.8)
    return tool
  }

  /// A drinks can or a tin, which stands or lies.
  private static func can(_ palette: inout Palette) -> Furniture {
    let (radius, height) = (palette.random(0.025...0.05), palette.random(0.06...0.16))
    var can = Furniture(reach: [radius, radius])
    if palette.random.chance(0.5) {
      can.rod(palette.picture(), from: .zero, to: [0, height, 0], radius: radius)
    } else {
      can.rod(
        palette.picture(), from: [0, radius, -height / 2], to: [0, radius, height / 2],
        radius: radius)
    }
    return can
  }

  /// An apple, or a banana of five bent pieces.
  private static func fruit(_ palette: inout Palette) -> Furniture {
    var fruit = Furniture(reach: [0.08, 0.05])
    let ripe = Material(
      Palette.color(
        hue: palette.random(0...0.3), saturation: 0.75, value: palette.random(0.5...0.9)))
    if palette.random.chance(0.5) {
      let radius = palette.random(0.025...0.045)
      fruit.add(.sphere(ripe, center: [0, radius, 0], radius: radius))
      return fruit
    }
    for k in 0..<5 {
      let (a, b) = (Float(k) * 0.3 - 0.75, Float(k + 1) * 0.3 - 0.75)
      fruit.rod(
        ripe, from: [0.1 * sin(a), 0.017, 0.1 * cos(a) - 0.08],
        to: [0.1 * sin(b), 0.017, 0.1 * cos(b) - 0.08], radius: 0.017)
    }
    return fruit
  }

  private static func cubes(_ palette: inout Palette) -> Furniture {
    var cubes = Furniture(reach: [0.1, 0.1])
    let side = palette.random(0.015...0.05)
    for _ in 0..<palette.random(1...6) {
      cubes.box(
        Material(
          Palette.color(
            hue: palette.random(0...1), saturation: 0.8, value: palette.random(0.3...0.9))),
        at: [palette.random(-0.1...0.1), 0, palette.random(-0.1...0.1)],
        size: Vector(repeating: side),
        yaw: palette.random(-1...1))
    }
    return cubes
  }

  /// A cable that winds over the surface.
  private static func cable(_ palette: inout Palette) -> Furniture {
    var cable = Furniture(reach: [0.2, 0.2])
    let material = Material(
      palette.random.chance(0.6) ? Vector(repeating: palette.random(0.01...0.1)) : palette.cloth())
    let radius = palette.random(0.0015...0.005)
    var (at, heading) = (Vector(0, radius, 0), palette.random(-3.1416...3.1416))
    for _ in 0..<palette.random(8...24) {
      let next = at + Vector(cos(heading), 0, sin(heading)) * 0.03
      cable.rod(material, from: at, to: next, radius: radius)
      (at, heading) = (next, heading + 0.5 * palette.random.normal())
    }
    return cable
  }
}
