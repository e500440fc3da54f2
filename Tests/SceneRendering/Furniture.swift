/// A piece of furniture in a local frame. It stands on y = 0, with the center at x = z = 0, the
/// front towards −z and the back towards +z.
struct Furniture: Sendable {
  var solids: [Solid] = []
  /// Half of the width and depth on the floor, in metres.
  var reach: SIMD2<Float>

  init(reach: SIMD2<Float>) { self.reach = reach }

  /// Adds an upright box at the center of the box's base.
  mutating func box(
    _ material: Material, at base: Vector, size: Vector, yaw: Float = 0, pitch: Float = 0
  ) {
    solids.append(
      .box(material, center: base + [0, size.y / 2, 0], size: size, yaw: yaw, pitch: pitch))
  }

  mutating func rod(
    _ material: Material, from start: Vector, to end: Vector, radius: Float, taper: Float = 1
  ) {
    solids.append(.rod(material, from: start, to: end, radius: radius, taper: taper))
  }

  mutating func add(_ solid: Solid) { solids.append(solid) }

  /// Adds another piece on or beside this piece.
  mutating func add(_ other: Furniture, at position: Vector, yaw: Float = 0) {
    solids += other.placed(at: position, yaw: yaw)
  }

  /// Adds four round or square legs, `inset` from the corners.
  mutating func legs(
    _ material: Material, width: Float, depth: Float, height: Float, thickness: Float, isRound: Bool
  ) {
    let (x, z) = (width / 2 - thickness, depth / 2 - thickness)
    for foot in [Vector(-x, 0, -z), Vector(x, 0, -z), Vector(-x, 0, z), Vector(x, 0, z)] {
      if isRound {
        rod(material, from: foot + [0, height, 0], to: foot, radius: thickness / 2, taper: 0.65)
      } else {
        box(material, at: foot, size: [thickness, height, thickness])
      }
    }
  }

  /// The solids in the room's frame, after a turn about the vertical axis.
  func placed(at position: Vector, yaw: Float) -> [Solid] {
    let turn = Basis(yaw: yaw)
    return solids.map { $0.moved(turn: turn, to: position) }
  }
}
