/// Hand-made scenes whose geometry tests can compute.
extension Scene {
  /// The names of scenes, which `measure render-scenes --scene` accepts.
  public enum Name: String, Sendable, CaseIterable {
    /// A furnished sitting room.
    case livingRoom
    /// A thin matt pole 1.5 m away before a speckled matt wall 4 m away.
    case poleBeforeWall
    /// One speckled wall that recedes from left to right, 1.8 m to 5 m.
    case slantedWall
    /// Four upright boards. Each board is half a metre farther than the board on its left.
    case steps
  }

  /// The scene with this name, which is equal whenever it is built.
  public static func named(_ name: Name) -> Scene {
    switch name {
    case .livingRoom: livingRoom
    case .poleBeforeWall: poleBeforeWall
    case .slantedWall: slantedWall
    case .steps: steps
    }
  }

  private static func speckle(_ seed: UInt32, _ tint: Vector = [0.75, 0.7, 0.62]) -> Material {
    Material(Texture(.speckle, tint, tint * 0.15, scale: 0.5, seed: seed))
  }

  /// A matt room that is lit evenly from above, seen along +z from `z = 0` at 1.2 m.
  private static func testRoom(depth: Float, _ solids: [Solid]) -> Scene {
    let width: Float = 8
    let lights = [-2, 2].map { x in
      Light(
        center: [x, 2.99, depth / 2 - 2], halfU: [0.8, 0, 0], halfV: [0, 0, 0.8],
        facing: [0, -1, 0], power: [3, 3, 3])
    }
    return Scene(
      size: [width, 3, 2 * depth],
      surroundings: Surroundings(
        floor: speckle(1, [0.6, 0.45, 0.3]), ceiling: Material([0.8, 0.8, 0.8]),
        walls: [speckle(2), speckle(3), speckle(4), speckle(5)]),
      solids: solids, lights: lights, viewpoint: Viewpoint(position: [0, 1.2, 0]))
  }

  static let poleBeforeWall = testRoom(
    depth: 4,
    [
      .rod(
        Material(Texture(.stripes, [0.8, 0.25, 0.1], [0.9, 0.85, 0.7], scale: 0.1)),
        from: [0.1, 0, 1.5], to: [0.1, 3, 1.5], radius: 0.025)
    ])

  static let slantedWall = testRoom(
    depth: 6,
    [
      .box(speckle(9, [0.55, 0.65, 0.75]), center: [0, 1.5, 3.2], size: [9, 3, 0.02], yaw: -0.62)
    ])

  static let steps = testRoom(
    depth: 5,
    (0..<4).map { k in
      let z = 1.5 + 0.5 * Float(k)
      let center = Vector((Float(k) - 1.5) * 0.5 * z / 2.2, 1.2, z + 0.01)
      return .box(
        speckle(20 + UInt32(k), [0.8, 0.6 - 0.1 * Float(k), 0.3 + 0.15 * Float(k)]),
        center: center, size: [0.5, 1.3, 0.02])
    })
}
