import DepthImages
import SystemEssentials

/// Tables, cupboards and shelves, with things on them.
extension Furniture {
  /// A dining, coffee or side table, round or square, with a few things.
  static func table(_ palette: inout Palette, height: Float, width: Float, depth: Float)
    -> Furniture
  {
    let top = palette.wood()
    let legs =
      palette.random.chance(0.3)
      ? palette.metal() : palette.random.chance(0.7) ? top : palette.wood()
    var table = Furniture(reach: [width / 2, depth / 2])
    if palette.random.chance(0.25) {
      let radius = min(width, depth) / 2
      table.rod(top, from: [0, height - 0.03, 0], to: [0, height, 0], radius: radius)
      table.rod(legs, from: [0, 0.03, 0], to: [0, height - 0.03, 0], radius: 0.04)
      table.rod(legs, from: [0, 0, 0], to: [0, 0.03, 0], radius: radius * 0.55, taper: 0.8)
      table.reach = [radius, radius]
    } else {
      table.box(top, at: [0, height - 0.035, 0], size: [width, 0.035, depth])
      if palette.random.chance(0.5) {
        table.box(top, at: [0, height - 0.11, 0], size: [width - 0.1, 0.075, depth - 0.1])
      }
      table.legs(
        legs, width: width, depth: depth, height: height - 0.03,
        thickness: palette.random(0.03...0.08),
        isRound: palette.random.chance(0.5))
    }
    let spread = table.reach * 0.65
    for _ in 0..<palette.random(0...4) {
      let place = Vector(
        palette.random(-spread.x...spread.x), height, palette.random(-spread.y...spread.y))
      table.add(ornament(&palette), at: place, yaw: palette.random(-3...3))
    }
    return table
  }

  /// A small thing on furniture: a vase, a bowl, books, a mug or a box.
  static func ornament(_ palette: inout Palette) -> Furniture {
    var piece = Furniture(reach: [0.1, 0.1])
    let material = palette.painted()
    switch palette.random(0...5) {
    case 0:
      let height = palette.random(0.12...0.3)
      piece.rod(material, from: [0, 0, 0], to: [0, height * 0.6, 0], radius: 0.045, taper: 1.4)
      piece.rod(
        material, from: [0, height * 0.6, 0], to: [0, height, 0], radius: 0.063, taper: 0.5)
    case 1:
      piece.rod(material, from: [0, 0, 0], to: [0, 0.08, 0], radius: 0.06, taper: 2)
      for k in 0..<4 {
        let fruit = Material(
          Palette.color(hue: palette.random(0...0.3), saturation: 0.7, value: 0.75))
        let angle = Float(k) * 1.6
        let center = Vector(0.055 * cos(angle), 0.1, 0.055 * sin(angle))
        piece.add(.sphere(fruit, center: center, radius: 0.042))
      }
    case 2:
      var y: Float = 0
      for _ in 0..<palette.random(1...4) {
        let thickness = palette.random(0.015...0.045)
        let book = Material(palette.cloth())
        piece.box(
          book, at: [0, y, 0], size: [0.16, thickness, 0.23], yaw: palette.random(-0.5...0.5))
        y += thickness
      }
    case 3: piece.rod(material, from: [0, 0, 0], to: [0, 0.1, 0], radius: 0.042)
    case 4: piece.add(.sphere(material, center: [0, 0.09, 0], radius: 0.09))
    default:
      piece.box(
        palette.upholstery(), at: [0, 0, 0], size: [0.22, palette.random(0.08...0.2), 0.16])
    }
    return piece
  }

  /// An open shelf with books and ornaments.
  static func shelf(_ palette: inout Palette) -> Furniture {
    let (width, depth) = (palette.random(0.6...1.4), palette.random(0.26...0.38))
    let levels = palette.random(2...5)
    let gap = palette.random(0.3...0.38)
    let height = Float(levels) * gap + 0.06
    let wood = palette.wood()
    var shelf = Furniture(reach: [width / 2, depth / 2])
    for x in [-width / 2 + 0.012, width / 2 - 0.012] {
      shelf.box(wood, at: [x, 0, 0], size: [0.024, height, depth])
    }
    shelf.box(wood, at: [0, 0, depth / 2 - 0.006], size: [width, height, 0.012])
    for level in 0...levels {
      let y = 0.04 + Float(level) * gap
      shelf.box(wood, at: [0, y - 0.024, 0], size: [width - 0.04, 0.024, depth])
      guard level < levels || palette.random.chance(0.4) else { continue }
      var x = -width / 2 + 0.04
      while x < width / 2 - 0.1 {
        if palette.random.chance(0.14) {
          x += 0.12
          if x < width / 2 - 0.1 { shelf.add(ornament(&palette), at: [x, y, 0]) }
          x += 0.14
        } else if palette.random.chance(0.1) {
          x += palette.random(0.05...0.3)
        } else {
          // Books are in sets, and each set has one height and shade.
          let (thickness, tall) = (
            palette.random(0.025...0.06), palette.random(0.18...(gap - 0.05))
          )
          let cover = Material(palette.cloth() * 0.8)
          for _ in 0..<palette.random(1...3) where x < width / 2 - 0.05 {
            let size = Vector(thickness - 0.002, tall, depth * 0.65)
            shelf.box(cover, at: [x + thickness / 2, y, palette.random(-0.02...0.02)], size: size)
            x += thickness
          }
        }
      }
    }
    return shelf
  }

  /// A chest of drawers, a sideboard or a wardrobe.
  static func cabinet(_ palette: inout Palette) -> Furniture {
    let isTall = palette.random.chance(0.35)
    let width = palette.random(0.5...1.6)
    let height = isTall ? palette.random(1.6...2.1) : palette.random(0.55...1.1)
    let depth = palette.random(0.4...0.6)
    let (body, knob) = (palette.wood(), palette.metal())
    let front = palette.random.chance(0.7) ? body : palette.painted()
    var cabinet = Furniture(reach: [width / 2, depth / 2])
    cabinet.box(body, at: [0, 0.06, 0.01], size: [width, height - 0.06, depth - 0.02])
    cabinet.box(knob, at: [0, 0, 0.04], size: [width - 0.1, 0.06, depth - 0.1])
    let columns = max(1, Int(width / 0.5))
    let rows = isTall ? 1 : palette.random(1...4)
    let cell = SIMD2(width / Float(columns), (height - 0.1) / Float(rows))
    let face = -depth / 2 + 0.01
    for column in 0..<columns {
      for row in 0..<rows {
        let x = (Float(column) + 0.5) * cell.x - width / 2
        let y = 0.08 + Float(row) * cell.y
        cabinet.box(front, at: [x, y, face - 0.005], size: [cell.x - 0.012, cell.y - 0.012, 0.02])
        let handle =
          rows > 1
          ? Vector(x, y + cell.y / 2, face - 0.03)
          : Vector(x + cell.x * 0.4, height * 0.5, face - 0.03)
        cabinet.add(.sphere(knob, center: handle, radius: 0.016))
      }
    }
    guard !isTall else { return cabinet }
    for _ in 0..<palette.random(0...3) {
      let x = palette.random(-width * 0.4...width * 0.4)
      cabinet.add(ornament(&palette), at: [x, height, 0])
    }
    if palette.random.chance(0.3), width > 0.9 {
      cabinet.add(screen(&palette), at: [0, height, 0.05])
    }
    return cabinet
  }

  /// A television or monitor.
  static func screen(_ palette: inout Palette) -> Furniture {
    let width = palette.random(0.5...1.1)
    var screen = Furniture(reach: [width / 2, 0.1])
    let black = Material(Texture(.plain, Vector(repeating: 0.015)), gloss: 0.06)
    let isOn = palette.random.chance(0.25)
    screen.box(black, at: [0, 0, 0], size: [width * 0.4, 0.015, 0.18])
    screen.box(black, at: [0, 0, 0.02], size: [0.06, 0.1, 0.03])
    screen.box(black, at: [0, 0.08, 0], size: [width, width * 0.58, 0.035])
    if isOn {
      var picture = palette.picture()
      picture.glow = 0.9
      screen.box(
        picture, at: [0, 0.095, -0.017], size: [width - 0.03, width * 0.58 - 0.03, 0.006])
    }
    return screen
  }
}
