/// A room's furniture, and the places of the lamps.
extension RoomBuilder {
  /// Adds ceiling lamps. `strength` is their share of the room's light.
  mutating func addCeilingLamps(strength: Float) {
    let count = max(1, Int(size.x * size.z / 22))
    let warm = Vector(1, palette.random(0.8...0.95), palette.random(0.55...0.85))
    let isPendant = palette.random.chance(0.5)
    let shade = Material(Texture(.plain, warm), glow: strength > 0 ? 3 : 0)
    let radius = palette.random(0.1...0.17)
    for k in 0..<count {
      let shareZ = (Float(k) + 0.5) / Float(count) - 0.5
      let drop = isPendant ? palette.random(0.5...0.8) : 0.08
      let at = Vector(palette.random(-0.3...0.3), size.y - drop, shareZ * size.z)
      var lamp: [Solid] = []
      if isPendant {
        lamp.append(.sphere(shade, center: at, radius: radius))
        lamp.append(
          .rod(
            palette.metal(), from: at + [0, radius, 0], to: [at.x, size.y, at.z], radius: 0.008))
      } else {
        lamp.append(
          .rod(shade, from: [at.x, size.y - 0.1, at.z], to: [at.x, size.y, at.z], radius: radius))
      }
      for index in lamp.indices { lamp[index].castsShadow = false }
      solids += lamp
      guard strength > 0 else { continue }
      let power = warm * strength * size.x * size.z * 0.3 / Float(count)
      lights.append(.lamp(at: at - [0, 0.05, 0], radius: radius * 1.6, power: power))
    }
  }

  /// Adds a wall with a doorway, or a chimney breast, so that not all rooms are boxes.
  mutating func addPartition(_ material: Material) {
    let z = palette.random(0.1...0.3) * size.z
    let gap = palette.random(0.9...1.6)
    let thickness: Float = 0.14
    let x = palette.random((-size.x / 2 + gap * 0.5 + 0.2)...(size.x / 2 - gap * 0.5 - 0.2))
    for (low, high) in [(-size.x / 2, x - gap / 2), (x + gap / 2, size.x / 2)] {
      let middle = Vector((low + high) / 2, size.y / 2, z)
      solids.append(.box(material, center: middle, size: [high - low, size.y, thickness]))
      block(middle: middle, reach: [(high - low) / 2, thickness / 2 + 0.02])
    }
    let lintel = size.y - 2.1
    solids.append(
      .box(material, center: [x, 2.1 + lintel / 2, z], size: [gap, lintel, thickness]))
    block(middle: [x, 0, z], reach: [gap / 2, 0.6])
    lights.append(
      .lamp(
        at: [x * 0.5, size.y - 0.4, (z + size.z / 2) / 2], radius: 0.15, power: [1.8, 1.5, 1.1]))
  }

  /// Adds a pillar from floor to ceiling, in a corner or along a wall.
  mutating func addPillar(_ material: Material) {
    var pillar = Furniture(reach: [palette.random(0.15...0.4), palette.random(0.1...0.3)])
    pillar.box(
      material, at: [0, 0, 0], size: [pillar.reach.x * 2, size.y, pillar.reach.y * 2 + 0.06])
    addAlongWall(pillar)
  }

  mutating func addRug() {
    let half = SIMD2(palette.random(0.6...1.4), palette.random(0.5...1))
    let rug = palette.rug()
    let room = SIMD2(size.x, size.z) / 2 - half.max() - 0.1
    guard room.min() > 0 else { return }
    let at = Vector(palette.random(-room.x...room.x), 0, palette.random(-room.y...room.y))
    let yaw = palette.random.chance(0.6) ? 0 : palette.random(-1.5...1.5)
    if palette.random.chance(0.25) {
      solids.append(.rod(rug, from: at, to: at + [0, 0.012, 0], radius: half.y))
    } else {
      solids.append(
        .box(rug, center: at + [0, 0.006, 0], size: [half.x * 2, 0.012, half.y * 2], yaw: yaw))
    }
  }

  /// Adds a dining table with chairs at some sides.
  mutating func addDiningGroup() {
    let (width, depth) = (palette.random(0.8...1.7), palette.random(0.7...0.95))
    let table = Furniture.table(
      &palette, height: palette.random(0.71...0.76), width: width, depth: depth)
    let chair = Furniture.chair(&palette)
    var group = Furniture(reach: table.reach)
    group.solids = table.solids
    let seats = palette.random(1...(width > 1.3 ? 6 : 4))
    for seat in 0..<seats {
      let side = Float(seat % 2 == 0 ? 1 : -1)
      let turn = palette.random(-0.3...0.3)
      let out = palette.random(-0.05...0.4)
      // One or two chairs are at each long side, and one chair at each end.
      if seat < (width > 1.3 ? 4 : 2) {
        let x = width > 1.3 ? width * (seat < 2 ? -0.25 : 0.25) : 0
        group.add(
          chair, at: [x, 0, side * (table.reach.y + out)], yaw: (side > 0 ? 0 : .pi) + turn)
      } else {
        group.add(chair, at: [side * (table.reach.x + out), 0, 0], yaw: side * .pi / 2 + turn)
      }
    }
    group.reach += 0.45
    addFree(group)
  }

  /// Adds a sofa at a wall, with a low table before the sofa.
  mutating func addSofaGroup() {
    var group = Furniture.sofa(&palette)
    if palette.random.chance(0.7) {
      let table = Furniture.table(
        &palette, height: palette.random(0.35...0.48), width: palette.random(0.6...1.1),
        depth: palette.random(0.45...0.65))
      group.add(table, at: [0, 0, -group.reach.y - 0.4 - table.reach.y])
      let grown = 0.4 + table.reach.y * 2
      // The group is centered between sofa and table.
      group.solids = group.placed(at: [0, 0, grown / 2], yaw: 0)
      group.reach.y += grown / 2
    }
    if !addAlongWall(group) { addAlongWall(Furniture.sofa(&palette)) }
  }

  mutating func addFloorLamp() {
    let isOn = palette.random.chance(0.6)
    let height = min(palette.random(1.3...1.75), size.y - 0.3)
    let lamp = Furniture.floorLamp(&palette, height: height, isOn: isOn)
    guard let at = addFree(lamp) else { return }
    if isOn {
      lights.append(.lamp(at: at + [0, height, 0], radius: 0.12, power: [1.5, 1.15, 0.7]))
    }
  }

  /// Adds the main pieces for the room's use, and then small pieces until the room is full enough.
  mutating func furnish() {
    let use = palette.random(0...3)
    switch use {
    case 0:
      addSofaGroup()
      if palette.random.chance(0.6) { addSofaGroup() }
    case 1: addAlongWall(.bed(&palette))
    case 2: addDiningGroup()
    default:
      addAlongWall(
        .table(
          &palette, height: 0.74, width: palette.random(1...1.6), depth: palette.random(0.6...0.8)))
      addFree(.chair(&palette))
    }
    let area = size.x * size.z
    if area > 14, use != 2, palette.random.chance(0.6) { addDiningGroup() }
    if area > 18, use != 0, palette.random.chance(0.6) { addSofaGroup() }
    for _ in 0..<palette.random(2...(3 + Int(area / 5))) {
      switch palette.random(0...11) {
      case 0, 1: addAlongWall(.cabinet(&palette))
      case 2, 3: addAlongWall(.shelf(&palette))
      case 4: addFree(.chair(&palette))
      case 5: addFree(.stool(&palette))
      case 6: addAlongWall(.plant(&palette))
      case 7: addFloorLamp()
      case 8: addFree(.clutter(&palette))
      case 9: addFree(.pole(&palette, ceiling: size.y))
      case 10: addAlongWall(.chair(&palette))
      default:
        addAlongWall(.table(&palette, height: palette.random(0.45...0.8), width: 0.5, depth: 0.45))
      }
    }
    for _ in 0..<palette.random(0...2) { addRug() }
  }
}
