/// Chairs, sofas and beds.
extension Furniture {
  static func chair(_ palette: inout Palette) -> Furniture {
    let width = palette.random(0.38...0.48)
    let seat = palette.random(0.43...0.48)
    let back = palette.random(0.8...1.05)
    let wood = palette.wood()
    let cushion = palette.random.chance(0.5) ? palette.upholstery() : wood
    var chair = Furniture(reach: [width / 2 + 0.03, width / 2 + 0.05])
    chair.legs(
      wood, width: width, depth: width, height: seat, thickness: 0.035,
      isRound: palette.random.chance(0.5))
    chair.box(cushion, at: [0, seat, 0], size: [width, 0.05, width])
    let z = width / 2 - 0.02
    for x in [-width / 2 + 0.02, width / 2 - 0.02] {
      chair.rod(wood, from: [x, seat, z], to: [x, back, z + 0.05], radius: 0.016)
    }
    if palette.random.chance(0.5) {
      let middle = (seat + back) / 2 + 0.1
      chair.add(
        .box(
          cushion, center: [0, middle, z + 0.03], size: [width - 0.04, back - middle, 0.03],
          pitch: -0.1))
    } else {
      for k in 0..<3 {
        let y = seat + 0.12 + Float(k) * (back - seat - 0.15) / 2
        chair.add(
          .box(
            wood, center: [0, y, z + 0.05 * (y - seat) / (back - seat)], size: [width, 0.05, 0.02]))
      }
    }
    return chair
  }

  static func stool(_ palette: inout Palette) -> Furniture {
    let height = palette.random(0.42...0.7)
    let radius = palette.random(0.15...0.2)
    let wood = palette.random.chance(0.5) ? palette.wood() : palette.metal()
    var stool = Furniture(reach: [radius + 0.05, radius + 0.05])
    stool.rod(
      palette.upholstery(), from: [0, height, 0], to: [0, height + 0.05, 0], radius: radius)
    for corner in [Vector(-1, 0, -1), [1, 0, -1], [-1, 0, 1], [1, 0, 1]] {
      let top = corner * radius * 0.55 + [0, height, 0]
      stool.rod(wood, from: corner * radius * 0.75, to: top, radius: 0.014)
    }
    return stool
  }

  /// A sofa for one to three people.
  static func sofa(_ palette: inout Palette) -> Furniture {
    let seats = palette.random(1...3)
    let width = Float(seats) * palette.random(0.62...0.75) + 0.36
    let depth = palette.random(0.8...0.95)
    let cloth = palette.upholstery()
    let foot = palette.wood()
    let armHeight = palette.random(0.52...0.66)
    let backHeight = palette.random(0.72...0.95)
    var sofa = Furniture(reach: [width / 2, depth / 2])
    sofa.legs(foot, width: width, depth: depth, height: 0.1, thickness: 0.05, isRound: true)
    sofa.box(cloth, at: [0, 0.1, 0], size: [width, 0.2, depth])
    sofa.box(cloth, at: [0, 0.3, depth / 2 - 0.1], size: [width, backHeight - 0.3, 0.2])
    let isRounded = palette.random.chance(0.5)
    for x in [-width / 2 + 0.09, width / 2 - 0.09] {
      sofa.box(cloth, at: [x, 0.3, 0], size: [0.18, armHeight - 0.3, depth])
      if isRounded {
        sofa.rod(
          cloth, from: [x, armHeight, -depth / 2], to: [x, armHeight, depth / 2], radius: 0.11)
      }
    }
    let cell = (width - 0.36) / Float(seats)
    for k in 0..<seats {
      let x = (Float(k) + 0.5) * cell - (width - 0.36) / 2
      sofa.box(cloth, at: [x, 0.3, -0.1], size: [cell - 0.015, 0.15, depth - 0.22])
      sofa.add(
        .box(
          cloth, center: [x, 0.66, depth / 2 - 0.26], size: [cell - 0.02, 0.4, 0.14], pitch: -0.2))
      if palette.random.chance(0.45) {
        sofa.add(
          .ellipsoid(
            palette.upholstery(), center: [x, 0.62, depth / 2 - 0.36], size: [0.42, 0.4, 0.16],
            yaw: palette.random(-0.4...0.4)))
      }
    }
    return sofa
  }

  /// A bed whose head is at the back.
  static func bed(_ palette: inout Palette) -> Furniture {
    let width = palette.random.pick([Float(0.9), 1.2, 1.6])
    let length: Float = 2.05
    let frame = palette.wood()
    let blanket = palette.upholstery()
    let linen = palette.painted()
    var bed = Furniture(reach: [width / 2 + 0.04, length / 2])
    bed.legs(frame, width: width, depth: length, height: 0.2, thickness: 0.07, isRound: false)
    bed.box(frame, at: [0, 0.2, 0], size: [width + 0.06, 0.1, length])
    bed.box(linen, at: [0, 0.3, 0], size: [width, 0.18, length - 0.08])
    bed.box(blanket, at: [0, 0.47, -0.28], size: [width + 0.04, 0.07, length - 0.62])
    bed.box(blanket, at: [0, 0.3, -length / 2 + 0.02], size: [width + 0.04, 0.2, 0.05])
    bed.box(
      frame, at: [0, 0.2, length / 2 - 0.02], size: [width + 0.08, palette.random(0.5...0.9), 0.05])
    let pillows = width > 1 ? 2 : 1
    for k in 0..<pillows {
      let x = (Float(k) + 0.5) * width / Float(pillows) - width / 2
      let cover = palette.random.chance(0.6) ? linen : palette.upholstery()
      bed.add(.ellipsoid(cover, center: [x, 0.53, length / 2 - 0.3], size: [0.66, 0.2, 0.42]))
    }
    return bed
  }
}
