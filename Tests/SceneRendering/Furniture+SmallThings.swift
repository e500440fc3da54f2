import SystemEssentials

/// Things on desks and tables, in true sizes.
extension Furniture {
  static func smallThing(_ palette: inout Palette) -> Furniture {
    switch palette.random(0...11) {
    case 0, 1: return ornament(&palette)
    case 2: return bottle(&palette)
    case 3: return cup(&palette)
    case 4: return plate(&palette)
    case 5: return keyboard(&palette)
    case 6: return laptop(&palette)
    case 7: return pens(&palette)
    case 8: return paper(&palette)
    case 9: return carton(&palette)
    case 10: return pottedPlant(&palette)
    default: return telephone(&palette)
    }
  }

  private static func bottle(_ palette: inout Palette) -> Furniture {
    let (radius, height) = (palette.random(0.025...0.05), palette.random(0.15...0.32))
    var bottle = Furniture(reach: [radius, radius])
    let glass = palette.painted()
    bottle.rod(glass, from: .zero, to: [0, height * 0.65, 0], radius: radius)
    bottle.rod(
      glass, from: [0, height * 0.65, 0], to: [0, height * 0.8, 0], radius: radius, taper: 0.4)
    bottle.rod(glass, from: [0, height * 0.8, 0], to: [0, height, 0], radius: radius * 0.4)
    let label = palette.picture()
    bottle.rod(
      label, from: [0, height * 0.15, 0], to: [0, height * 0.5, 0], radius: radius * 1.01)
    return bottle
  }

  private static func cup(_ palette: inout Palette) -> Furniture {
    let (radius, height) = (palette.random(0.03...0.05), palette.random(0.06...0.12))
    var cup = Furniture(reach: [radius, radius])
    let material = palette.random.chance(0.4) ? palette.picture() : palette.painted()
    cup.rod(material, from: .zero, to: [0, height, 0], radius: radius * 0.9, taper: 1.1)
    let drink = Material(
      Palette.color(hue: 0.07, saturation: 0.6, value: palette.random(0.1...0.6)))
    cup.rod(drink, from: [0, height * 0.99, 0], to: [0, height + 0.001, 0], radius: radius * 0.85)
    for k in 0..<6 {  // the handle is a bent row of short rods
      let (a, b) = (Float(k) * 0.52 - 1.57, Float(k + 1) * 0.52 - 1.57)
      let start = Vector(radius * 0.95 + 0.025 * cos(a), height * 0.5 + 0.03 * sin(a), 0)
      let end = Vector(radius * 0.95 + 0.025 * cos(b), height * 0.5 + 0.03 * sin(b), 0)
      cup.rod(material, from: start, to: end, radius: 0.005)
    }
    return cup
  }

  private static func plate(_ palette: inout Palette) -> Furniture {
    let radius = palette.random(0.08...0.15)
    var plate = Furniture(reach: [radius, radius])
    plate.rod(palette.painted(), from: .zero, to: [0, 0.018, 0], radius: radius * 0.6, taper: 1.6)
    for _ in 0..<palette.random(0...5) {
      let food = Material(
        Palette.color(
          hue: palette.random(0...0.35), saturation: 0.6, value: palette.random(0.3...0.8)))
      let at = Vector(
        palette.random(-0.5...0.5) * radius, 0.03, palette.random(-0.5...0.5) * radius)
      plate.add(
        .ellipsoid(
          food, center: at, size: [0.05, 0.035, 0.04] * palette.random(0.6...1.4),
          yaw: palette.random(-3...3)))
    }
    return plate
  }

  private static func keyboard(_ palette: inout Palette) -> Furniture {
    var keyboard = Furniture(reach: [0.22, 0.07])
    let dark = Vector(repeating: palette.random.chance(0.6) ? 0.03 : 0.7)
    keyboard.box(Material(dark), at: .zero, size: [0.43, 0.015, 0.135])
    let key = Material(dark * palette.random(0.6...1.5))
    for row in 0..<5 {
      for column in 0..<14 {
        keyboard.box(
          key, at: [Float(column) * 0.03 - 0.195, 0.015, Float(row) * 0.025 - 0.05],
          size: [0.024, 0.006, 0.02])
      }
    }
    return keyboard
  }

  private static func laptop(_ palette: inout Palette) -> Furniture {
    var laptop = Furniture(reach: [0.17, 0.12])
    let body = palette.metal()
    laptop.box(body, at: .zero, size: [0.33, 0.016, 0.23])
    laptop.box(
      Material(Vector(repeating: 0.03)), at: [0, 0.016, 0.03], size: [0.28, 0.001, 0.1])
    let lean = palette.random(0.1...0.5)
    laptop.box(body, at: [0, 0.016, 0.13], size: [0.33, 0.215, 0.006], pitch: -lean)
    var screen = palette.picture()
    screen.glow = palette.random.chance(0.6) ? 0.8 : 0
    laptop.box(screen, at: [0, 0.025, 0.126], size: [0.31, 0.195, 0.004], pitch: -lean)
    return laptop
  }

  private static func pens(_ palette: inout Palette) -> Furniture {
    var pens = Furniture(reach: [0.1, 0.1])
    for _ in 0..<palette.random(1...5) {
      let angle = palette.random(0...3.1416)
      let along = Vector(cos(angle), 0, sin(angle)) * palette.random(0.06...0.09)
      let middle = Vector(palette.random(-0.06...0.06), 0.005, palette.random(-0.06...0.06))
      pens.rod(Material(palette.cloth()), from: middle - along, to: middle + along, radius: 0.004)
    }
    return pens
  }

  private static func paper(_ palette: inout Palette) -> Furniture {
    var paper = Furniture(reach: [0.15, 0.15])
    for k in 0..<palette.random(1...4) {
      let sheet =
        palette.random.chance(0.3)
        ? palette.picture()
        : Material(
          Texture(
            .stripes, [0.8, 0.8, 0.78], [0.5, 0.5, 0.52], scale: palette.random(0.006...0.02)))
      paper.box(
        sheet, at: [0, 0.001 * Float(k), 0], size: [0.21, 0.001, 0.297],
        yaw: palette.random(-0.6...0.6))
    }
    return paper
  }

  private static func carton(_ palette: inout Palette) -> Furniture {
    var carton = Furniture(reach: [0.1, 0.1])
    let size = Vector(
      palette.random(0.04...0.2), palette.random(0.03...0.25), palette.random(0.03...0.14))
    carton.box(
      palette.random.chance(0.5) ? palette.picture() : palette.painted(), at: .zero, size: size)
    return carton
  }

  private static func pottedPlant(_ palette: inout Palette) -> Furniture {
    var plant = Furniture(reach: [0.1, 0.1])
    let height = palette.random(0.06...0.1)
    plant.rod(palette.painted(), from: .zero, to: [0, height, 0], radius: 0.04, taper: 1.3)
    let leaf = palette.leaf()
    for k in 0..<palette.random(5...14) {
      let turn = Basis(
        yaw: Float(k) * 2.4, pitch: palette.random(0.2...1.3), roll: palette.random(-0.4...0.4))
      let length = palette.random(0.03...0.09)
      let shape = Shape(
        .ellipsoid, center: turn.z * length + [0, height, 0], half: [length * 0.25, 0.002, length],
        axes: turn)
      plant.add(Solid(shape, leaf))
    }
    return plant
  }

  private static func telephone(_ palette: inout Palette) -> Furniture {
    var telephone = Furniture(reach: [0.08, 0.08])
    telephone.box(
      Material(Texture(.plain, Vector(repeating: 0.02)), gloss: 0.08), at: .zero,
      size: [0.072, 0.008, 0.148])
    return telephone
  }
}
