extension Scene {
  /// A sitting room by day with sofa, low table, rug, shelf, plant, lamp and window.
  static let livingRoom: Scene = {
    var palette = Palette(seed: 8)
    let size = Vector(5.2, 2.6, 6.4)
    let paint = Palette.color(hue: 0.11, saturation: 0.1, value: 0.9)
    let accent = Palette.color(hue: 0.55, saturation: 0.22, value: 0.66)
    let wall = Material(Texture(.plaster, paint, paint * 0.93, scale: 1.5, seed: 3))
    let farWall = Material(Texture(.plaster, accent, accent * 0.92, scale: 1.5, seed: 4))
    let oak = Palette.color(hue: 0.085, saturation: 0.45, value: 0.72)
    let surroundings = Surroundings(
      floor: Material(Texture(.planks, oak, oak * 0.62, scale: 1.2, seed: 5), gloss: 0.04),
      ceiling: Material(Texture(.plaster, [0.85, 0.84, 0.81], [0.8, 0.79, 0.77], scale: 2)),
      walls: [wall, wall, wall, farWall])
    var builder = RoomBuilder(palette: palette, size: size)
    builder.addSkirting()
    builder.addCeilingLamps(strength: 0)
    builder.addWindow(on: 1, along: -0.4, width: 1.8, sill: 0.85, top: 2.2, daylight: 3.5)

    func put(_ piece: Furniture, wall: Int, along: Float, out: Float = 0.03, height: Float = 0) {
      builder.put(
        piece, wall: wall, along: along, out: out + (height > 0 ? 0 : piece.reach.y), height: height
      )
    }
    put(.sofa(&palette), wall: 3, along: 0.5)
    put(.shelf(&palette), wall: 0, along: 1.5)
    put(.cabinet(&palette), wall: 0, along: -0.3)
    put(.plant(&palette), wall: 0, along: -2)
    put(.frame(&palette), wall: 0, along: -0.4, out: 0, height: 1.65)
    put(.frame(&palette), wall: 3, along: 0.3, out: 0, height: 1.6)
    put(.sofa(&palette), wall: 1, along: 1.6)
    let lamp = Furniture.floorLamp(&palette, height: 1.55, isOn: true)
    put(lamp, wall: 3, along: 1.9)
    builder.lights.append(.lamp(at: [-2.3, 1.55, 1.9], radius: 0.12, power: [0.7, 0.5, 0.3]))
    let table = Furniture.table(&palette, height: 0.42, width: 1.1, depth: 0.6)
    builder.solids += table.placed(at: [-0.35, 0, 0.3], yaw: .pi / 2)
    builder.solids += Furniture.chair(&palette).placed(at: [1.1, 0, -0.6], yaw: 2.2)
    let rug = Material(
      Texture(.wallpaper, [0.45, 0.42, 0.36], [0.25, 0.07, 0.05], scale: 0.28, seed: 6))
    builder.solids.append(.box(rug, center: [-0.4, 0.006, 0.3], size: [2, 0.012, 2.6]))
    return Scene(
      size: size, surroundings: surroundings, solids: builder.solids, lights: builder.lights,
      viewpoint: Viewpoint(position: [0.7, 1.45, -2.9], yaw: -0.2, pitch: -0.15))
  }()
}
