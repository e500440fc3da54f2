import DepthImages

/// Furnishes a room at random, first along the walls, then in the middle.
struct RoomBuilder {
  var palette: Palette
  let size: Vector
  var solids: [Solid] = []
  var lights: [Light] = []
  /// Occupied floor rectangles, as `x` and `z` of two corners.
  private var taken: [(low: SIMD2<Float>, high: SIMD2<Float>)] = []
  /// Spans of the walls with windows and doors: wall, from, to.
  private var openings: [(wall: Int, low: Float, high: Float)] = []

  init(palette: Palette, size: Vector) { (self.palette, self.size) = (palette, size) }

  /// The yaw of a wall. Walls are 0 far (+z), 1 right (+x), 2 near (−z) and 3 left (−x).
  func yaw(ofWall wall: Int) -> Float { Float(wall) * .pi / 2 }

  /// Half of the wall's length, and the distance from the room's center, in metres.
  func extent(ofWall wall: Int) -> (half: Float, distance: Float) {
    wall % 2 == 0 ? (size.x / 2, size.z / 2) : (size.z / 2, size.x / 2)
  }

  /// The room point `along` a wall, `out` metres in front of the wall, at the given height.
  func point(wall: Int, along: Float, out: Float, height: Float) -> Vector {
    let (_, distance) = extent(ofWall: wall)
    return Basis(yaw: yaw(ofWall: wall))([along, height, distance - out])
  }

  /// Puts a piece before a wall, with its back to the wall. Lengths are in metres.
  mutating func put(
    _ piece: Furniture, wall: Int, along: Float, out: Float = 0, height: Float = 0
  ) {
    solids += piece.placed(
      at: point(wall: wall, along: along, out: out, height: height), yaw: yaw(ofWall: wall))
  }

  // MARK: - Walls

  /// A free stretch of wall for a thing of this half width, which is then occupied.
  mutating func reserve(wall: Int, halfWidth: Float) -> Float? {
    let room = extent(ofWall: wall).half - halfWidth - 0.1
    guard room > 0 else { return nil }
    for _ in 0..<8 {
      let along = palette.random(-room...room)
      let (low, high) = (along - halfWidth - 0.08, along + halfWidth + 0.08)
      if !openings.contains(where: { $0.wall == wall && $0.low < high && low < $0.high }) {
        openings.append((wall, low, high))
        return along
      }
    }
    return nil
  }

  mutating func addDoor() {
    let wall = palette.random(0...3)
    guard let along = reserve(wall: wall, halfWidth: 0.52) else { return }
    put(.door(&palette), wall: wall, along: along)
    block(middle: point(wall: wall, along: along, out: 0.45, height: 0), reach: [0.45, 0.45])
  }

  /// Adds a window at a random place. `daylight` is the strength, 0 at night.
  mutating func addWindow(daylight: Float) {
    let wall = palette.random(0...3)
    let width = palette.random(0.8...2)
    let sill = palette.random.chance(0.15) ? 0.1 : palette.random(0.7...1)
    let top = min(size.y - 0.15, palette.random(1.95...2.4))
    let room: Float = 0.35  // for curtains
    guard let along = reserve(wall: wall, halfWidth: width / 2 + room) else { return }
    addWindow(on: wall, along: along, width: width, sill: sill, top: top, daylight: daylight)
  }

  /// Adds a window with frame and sill, and sometimes curtains and a radiator.
  mutating func addWindow(
    on wall: Int, along: Float, width: Float, sill: Float, top: Float, daylight: Float
  ) {
    var window = Furniture(reach: [width / 2, 0.1])
    let frame = palette.painted()
    let height = top - sill
    let pane = Material(
      palette.outdoors(), glow: daylight > 0 ? palette.random(1.2...2.6) : 0.02)
    window.add(.box(pane, center: [0, height / 2, -0.005], size: [width, height, 0.01]))
    for x in [-width / 2, width / 2] + (width > 1.1 ? [0] : []) {
      window.box(frame, at: [x, 0, -0.02], size: [0.06, height, 0.05])
    }
    for y in [0, height - 0.06] + (palette.random.chance(0.4) ? [height * 0.65] : []) {
      window.box(frame, at: [0, y, -0.02], size: [width, 0.06, 0.045])
    }
    window.box(frame, at: [0, -0.04, -0.06], size: [width + 0.16, 0.04, 0.16])
    if palette.random.chance(0.5) {
      addCurtains(to: &window, width: width, sill: sill, height: height)
    }
    if sill > 0.6, palette.random.chance(0.5) {
      addRadiator(to: &window, width: width * 0.8, sill: sill)
    }
    put(window, wall: wall, along: along, height: sill)

    guard daylight > 0 else { return }
    let axes = Basis(yaw: yaw(ofWall: wall))
    let origin = point(wall: wall, along: along, out: 0, height: sill)
    lights.append(
      Light(
        center: origin + axes([0, height / 2, -0.05]), halfU: axes.x * (width / 2),
        halfV: [0, height / 2, 0], facing: -axes.z,
        power: Vector(0.9, 0.97, 1.1) * daylight * width * height))
  }

  /// Adds folds of cloth at both sides, which hang from a rod.
  private mutating func addCurtains(
    to window: inout Furniture, width: Float, sill: Float, height: Float
  ) {
    let cloth = palette.upholstery()
    let rail = height + 0.1
    let bottom = palette.random.chance(0.6) ? -sill + 0.03 : -0.15
    window.rod(
      palette.metal(), from: [-width / 2 - 0.35, rail, -0.11], to: [width / 2 + 0.35, rail, -0.11],
      radius: 0.014)
    let folds = palette.random(3...6)
    for side in [Float(-1), 1] {
      for k in 0..<folds {
        let x = side * (width / 2 + 0.27 - Float(k) * 0.075)
        // A fold is a stretched post, an upright elliptic column.
        let shape = Shape(
          .frustum, center: [x, (rail + bottom) / 2, -0.1 - 0.015 * Float(k % 2)],
          half: [0.05, (rail - bottom) / 2, 0.04], axes: .room)
        window.add(Solid(shape, cloth))
      }
    }
  }

  private mutating func addRadiator(to window: inout Furniture, width: Float, sill: Float) {
    let white = Material([0.8, 0.8, 0.78])
    let ribs = max(4, Int(width / 0.09))
    for k in 0..<ribs {
      let x = (Float(k) + 0.5) * width / Float(ribs) - width / 2
      window.box(white, at: [x, 0.12 - sill, -0.09], size: [0.055, sill - 0.25, 0.08])
    }
    window.box(white, at: [0, 0.16 - sill, -0.09], size: [width, 0.04, 0.05])
  }

  mutating func addSkirting() {
    let material = palette.random.chance(0.7) ? palette.painted() : palette.wood()
    let height = palette.random(0.06...0.14)
    for wall in 0..<4 {
      let length = extent(ofWall: wall).half * 2
      var board = Furniture(reach: [length / 2, 0.01])
      board.box(material, at: [0, 0, -0.008], size: [length, height, 0.016])
      put(board, wall: wall, along: 0)
    }
  }

  mutating func addPictures(_ count: Int) {
    for _ in 0..<count {
      let wall = palette.random(0...3)
      let picture = Furniture.frame(&palette)
      guard let along = reserve(wall: wall, halfWidth: picture.reach.x + 0.06) else { continue }
      let height = min(palette.random(1.35...1.75), size.y - 0.6)
      put(picture, wall: wall, along: along, height: height)
    }
  }

  // MARK: - Floor

  /// Marks a rectangle of the floor as occupied, in metres.
  mutating func block(middle: Vector, reach: SIMD2<Float>) {
    let center = SIMD2(middle.x, middle.z)
    taken.append((center - reach, center + reach))
  }

  private func isFree(_ middle: Vector, _ reach: SIMD2<Float>) -> Bool {
    let center = SIMD2(middle.x, middle.z)
    let (low, high) = (center - reach, center + reach)
    guard low.x > -size.x / 2, high.x < size.x / 2, low.y > -size.z / 2, high.y < size.z / 2 else {
      return false
    }
    return !taken.contains {
      $0.low.x < high.x && low.x < $0.high.x && $0.low.y < high.y && low.y < $0.high.y
    }
  }

  /// Places a piece with its back to a wall, if a place is found.
  @discardableResult
  mutating func addAlongWall(_ piece: Furniture) -> Bool {
    for _ in 0..<12 {
      let wall = palette.random(0...3)
      let room = extent(ofWall: wall).half - piece.reach.x - 0.03
      guard room > 0 else { continue }
      let along = palette.random(-room...room)
      let middle = point(wall: wall, along: along, out: piece.reach.y + 0.03, height: 0)
      let reach = wall % 2 == 0 ? piece.reach : SIMD2(piece.reach.y, piece.reach.x)
      guard isFree(middle, reach) else { continue }
      solids += piece.placed(at: middle, yaw: yaw(ofWall: wall))
      block(middle: middle, reach: reach + 0.02)
      return true
    }
    return false
  }

  /// Places a piece anywhere at any angle, and returns the place.
  @discardableResult
  mutating func addFree(_ piece: Furniture) -> Vector? {
    for _ in 0..<12 {
      let yaw =
        palette.random.chance(0.5) ? Float(palette.random(0...3)) * .pi / 2 : palette.random(-3...3)
      // The upright rectangle that encloses the turned rectangle.
      let turn = Basis(yaw: yaw)
      let x = turn.x * piece.reach.x
      let z = turn.z * piece.reach.y
      let reach = SIMD2(abs(x.x) + abs(z.x), abs(x.z) + abs(z.z))
      let room = SIMD2(size.x, size.z) / 2 - reach
      guard room.min() > 0 else { continue }
      let middle = Vector(palette.random(-room.x...room.x), 0, palette.random(-room.y...room.y))
      guard isFree(middle, reach) else { continue }
      solids += piece.placed(at: middle, yaw: yaw)
      block(middle: middle, reach: reach)
      return middle
    }
    return nil
  }
}
