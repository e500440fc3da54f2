import DepthImages
import Testing

@testable import SceneRendering

@Suite struct ArrangementTests {
  private let files: ThingFolder
  private let library: ThingLibrary

  init() throws {
    files = try ThingFolder()
    library = try ThingLibrary(contentsOf: files.url)
  }

  /// A room of 4 × 2.5 × 4 m with a table whose top is at 0.7 m.
  private func room(seed: UInt64) -> Arrangement {
    var builder = RoomBuilder(palette: Palette(seed: seed), size: [4, 2.5, 4])
    builder.solids.append(
      .box(ExactDepthTests.gray, center: [0, 0.68, 0], size: [1, 0.04, 0.6]))
    return Arrangement(builder, library: library)
  }

  private func thing(_ name: String) throws -> ThingLibrary.Thing {
    try #require(library.things.first { $0.name == name })
  }

  /// Whether a plane separates two boxes, by all fifteen directions in `Double`.
  private static func areApart(_ a: Shape, _ b: Shape) -> Bool {
    func sides(_ shape: Shape) -> [SIMD3<Double>] {
      [shape.axes.x * shape.half.x, shape.axes.y * shape.half.y, shape.axes.z * shape.half.z]
        .map { SIMD3<Double>($0) }
    }
    let (p, q) = (sides(a), sides(b))
    var directions = p + q
    for u in p {
      for v in q {
        directions.append([
          u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x,
        ])
      }
    }
    let between = SIMD3<Double>(b.center - a.center)
    return directions.contains { direction in
      let length = (direction * direction).sum().squareRoot()
      guard length > 1e-9 else { return false }
      let reach = (p + q).reduce(0) { $0 + abs(($1 * direction).sum()) }
      // Boxes may touch by less than a millimetre.
      return abs((between * direction).sum()) > reach - 8e-4 * length
    }
  }

  @Test("things stand on a table or thing without overlap", arguments: [1, 2, 3, 4] as [UInt64])
  func thingsStandOnTheTableOrOnEachOtherAndReachIntoNothing(seed: UInt64) throws {
    var arrangement = room(seed: seed)
    let before = arrangement.builder.solids.count
    let placed = try arrangement.clutter(
      14, middle: [0, 0.7, 0], reach: [0.5, 0.3], yaw: 0, things: arrangement.objects(upTo: 0.3))
    #expect(placed.count >= 8)
    let things = arrangement.builder.solids[before...].map(\.shape)
    #expect(things.count == placed.count)
    for (index, shape) in things.enumerated() {
      let bottom = shape.bounds.low.y
      let grounds = [0.7] + things.map(\.bounds.high.y)
      #expect(grounds.contains { abs($0 - bottom) < 1e-3 }, "thing \(index) at \(bottom)")
      #expect(abs(shape.center.x) < 0.5 && abs(shape.center.z) < 0.3)
      for other in things[..<index] { #expect(Self.areApart(shape, other)) }
    }
  }

  @Test("things fill a shelf's boards and stand between them", arguments: [5, 6] as [UInt64])
  func thingsOnBoardsStandBetweenThem(seed: UInt64) throws {
    var arrangement = room(seed: seed)
    let piece = try #require(try arrangement.furnish(thing("boards"), alongWall: true))
    let before = arrangement.builder.solids.count
    let placed = try arrangement.fill(piece, wanted: 12, things: arrangement.objects(upTo: 0.3))
    #expect(placed.count >= 4)
    let tops = (0..<3).map { (0.3 * Float($0) + 0.13 - 0.1) * piece.half.y / 0.315 }
    let things = arrangement.builder.solids[before...].map(\.shape)
    var onBoards = Set<Int>()
    for shape in things {
      let bottom = shape.bounds.low.y
      if let board = tops.firstIndex(where: { abs($0 - bottom) < 2e-3 }) { onBoards.insert(board) }
      #expect((tops + things.map(\.bounds.high.y)).contains { abs($0 - bottom) < 2e-3 })
    }
    #expect(onBoards.count >= 2)
  }

  @Test("an unstable thing is not placed") func unstableThingsDoNotStand() throws {
    var arrangement = room(seed: 1)
    let brick = try arrangement.solid(of: thing("brick"), axes: .room)
    func stands(_ x: Float, _ support: Arrangement.Support = .firm) -> Bool {
      var trial = arrangement
      return trial.stand(brick, at: [x, 1.5, 0], on: 0.69...0.71, support: support) != nil
    }
    // The thing is 20 cm long, and the table ends at 0.5 m.
    #expect(stands(0.39) && stands(0.42) && !stands(0.51) && !stands(0.6))
    #expect(stands(0.49, .loose) && !stands(0.65, .loose))
    // The thing is also not placed on the ground, which was not requested.
    let besideTheTable = arrangement.stand(brick, at: [1.2, 1.5, 0], on: 0.69...0.71)
    #expect(besideTheTable == nil)
    let onTheFloor = arrangement.stand(brick, at: [1.2, 1.5, 0], on: 0...0.01)
    #expect(onTheFloor == 0)
    // On a post as thin as a finger, the thing would fall sideways.
    arrangement.builder.solids.append(
      .rod(ExactDepthTests.gray, from: [0, 0.7, 0], to: [0, 0.9, 0], radius: 0.01))
    let onThePost = arrangement.stand(brick, at: [0, 1.5, 0], on: 0.69...1)
    #expect(onThePost == nil)
  }

  @Test("a kept thing is in the room and overlaps no thing")
  func nothingLeavesTheRoomOrEntersAnother() throws {
    var arrangement = room(seed: 1)
    let die = try arrangement.solid(of: thing("die"), axes: Basis(yaw: 0.6))
    // A box inside a solid meets none of the solid's faces.
    arrangement.builder.solids.append(
      .box(ExactDepthTests.gray, center: [-1, 1, -1], size: [0.4, 0.4, 0.4]))
    for (position, fits) in [
      (Vector(1.98, 1, 0), false), ([0, 0.7, 0], false), ([-1, 1, -1], false), ([1, 1, 1], true),
      ([1.03, 1.02, 1], false), ([1.09, 1, 1], true),
    ] {
      let isKept = arrangement.keep(die, at: position)
      #expect(isKept == fits, "\(position)")
    }
  }

  @Test("hung things lie flat on the wall") func hungThingsLieFlatOnTheWall() throws {
    var arrangement = room(seed: 3)
    let before = arrangement.builder.solids.count
    try arrangement.hang(
      4, wall: 1, along: -1...1, heights: 1...2, things: arrangement.objects(upTo: 0.3))
    let hung = arrangement.builder.solids[before...].map(\.shape.bounds)
    #expect(hung.count >= 2)
    for bounds in hung {
      #expect(bounds.high.x > 1.99 && bounds.high.x <= 2 && bounds.low.x > 1.9)
    }
  }
}
