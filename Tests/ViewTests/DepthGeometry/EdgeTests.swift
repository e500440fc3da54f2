import DepthImages
import Testing
import _TestSupport

@testable import DepthGeometry

/// Pixels beside the edges of upsampled maps.
@Suite struct EdgeTests {
  /// A map with softened edges and an overshoot, `width` pixels on both sides of edges along rows.
  private func softened(_ map: DepthMap, width ramp: Int) -> DepthMap {
    var values = map.values
    for y in 0..<map.height {
      for x in 1..<map.width
      where abs(map.values[y * map.width + x] - map.values[y * map.width + x - 1]) > 0.05 {
        let (a, b) = (map.values[y * map.width + x - 1], map.values[y * map.width + x])
        for k in -ramp..<ramp where (0..<map.width).contains(x + k) {
          let side = k < 0 ? a : b
          let step = (a + b) / 2 - side
          values[y * map.width + x + k] = side + (k == -1 || k == 0 ? 0.3 * step : -0.1 * step)
        }
      }
    }
    return DepthMap(height: map.height, width: map.width, unit: map.unit, values: values)
  }

  private func reach(_ map: DepthMap) -> Int {
    EdgeReach(height: map.height, width: map.width, threshold: 0.04).measured(in: map.values)
  }

  @Test("clean edges have no reach, soft edges do") func cleanEdgesHaveNoReach() {
    #expect(reach(GeometryScenes.box(height: 60, width: 90)) == 0)
    #expect(reach(GeometryScenes.hills(height: 60, width: 90)) == 0)
    #expect(reach(GeometryScenes.box(height: 2, width: 3)) == 0)
    let soft = reach(softened(GeometryScenes.board(height: 192, width: 256), width: 3))
    #expect((2...3).contains(soft), "\(soft)")
  }

  /// A round column at 1.4 m before a wall at 1.75 m. Its depth bends towards the outlines without
  /// unclean pixels.
  @Test("an exact map of a round column keeps every point in place")
  func exactMapsWithRoundThingsAreClean() throws {
    let map = GeometryScenes.map(height: 96, width: 256) { _, x in
      let place = (x - 0.5) / 0.13
      return abs(place) < 1 ? 1 / (1.5 - 0.1 * (1 - place * place).squareRoot()) : 1 / 1.75
    }
    #expect(reach(map) == 0)
    let (photo, camera) = (GeometryScenes.photo(map), GeometryScenes.camera(map))
    let naive = GeometryOptions(edgeThreshold: nil)
    let cloud = try map.pointCloud(of: photo, camera: camera)
    #expect(
      try cloud.positions == map.pointCloud(of: photo, camera: camera, options: naive).positions)
    // With unclean edges, the map would lose points.
    #expect(reach(softened(GeometryScenes.board(height: 96, width: 256), width: 3)) > 0)
  }

  /// Gaps all over a sensor's map remove no pixels away from jumps.
  @Test("gaps away from edges remove no neighbors") func gapsLeaveTheirNeighbors() throws {
    let board = softened(GeometryScenes.board(height: 192, width: 256), width: 3)
    let (noise, gaps) = (CounterStream("geometry/noise"), CounterStream("geometry/holes"))
    let values = board.values.indices.map { i -> Float in
      if gaps[i] % 50 == 0 { return 0 }
      return board.values[i] * (1 + 0.005 * (Float(noise[i] % 1000) / 500 - 1))
    }
    let map = DepthMap(height: 192, width: 256, unit: board.unit, values: values)
    let (photo, camera) = (GeometryScenes.photo(map), GeometryScenes.camera(map))
    let kept = try map.pointCloud(of: photo, camera: camera).count
    // Some pixels beside the jump are left out, with and without gaps.
    let valid = values.count { $0 > 0 }
    #expect(kept > valid * 94 / 100, "\(kept) of \(valid)")
  }

  /// Overshoots of five pixels are flat in the middle.
  @Test("flying pixels return to their surface", arguments: [(256, 3), (512, 6)])
  func pixelsBesideAnEdgeReturnToTheirSurface(width: Int, ramp: Int) throws {
    let truth = GeometryScenes.board(height: 192, width: width)
    let soft = softened(truth, width: ramp)
    let (photo, camera) = (GeometryScenes.photo(soft), GeometryScenes.camera(soft))
    func farFromSurface(_ options: GeometryOptions) throws -> (far: Int, points: Int) {
      let cloud = try soft.pointCloud(of: photo, camera: camera, options: options)
      let far = (0..<cloud.count).count { i in
        let z = -cloud.positions[3 * i + 2]
        return min(abs(z - 1), abs(z - 3)) > 0.01
      }
      return (far, cloud.count)
    }
    let kept = try farFromSurface(GeometryOptions(edgeThreshold: nil))
    #expect(kept.far > 400 && kept.points == truth.values.count)
    let snapped = try farFromSurface(GeometryOptions())
    #expect(snapped.far == 0)
    #expect(snapped.points > truth.values.count - 40)
    let dropped = try farFromSurface(GeometryOptions(dropsFlyingPixels: true))
    #expect(dropped.far == 0 && dropped.points < snapped.points - 300)
  }

  @Test("slanted surfaces continue along their slopes up to the edge")
  func slantedSurfacesContinueStraight() throws {
    let truth = GeometryScenes.map(height: 96, width: 256) { _, x in
      (0.4..<0.75).contains(x) ? 0.8 + 0.6 * x : 0.3 + 0.15 * x
    }
    let soft = softened(truth, width: 3)
    let cloud = try soft.pointCloud(
      of: GeometryScenes.photo(soft), camera: GeometryScenes.camera(soft))
    #expect(cloud.count > 96 * 250)
    let focalLength = GeometryScenes.camera(soft).focalLength
    let worst = (0..<cloud.count).map { i in
      let p = point(cloud.positions, i)
      let column = Int(128 - focalLength * p.x / p.z)
      return abs(-1 / p.z / Double(truth.values[column]) - 1)
    }.max()
    #expect(try #require(worst) < 1e-3)
  }

  /// The line has the board's depth, but the wall surrounds the line.
  @Test("a line of one pixel beside an edge is left out") func linesOfOnePixelAreLeftOut() throws {
    let map = softened(GeometryScenes.board(height: 192, width: 256), width: 3)
    let start = try #require((0..<256).first { map.values[$0] > 0.9 })
    var values = map.values
    for y in 0..<192 { values[y * 256 + start - 5] = 0.9 }
    let lined = DepthMap(height: 192, width: 256, unit: .disparity, values: values)
    let camera = GeometryScenes.camera(lined)
    let cloud = try lined.pointCloud(of: GeometryScenes.photo(lined), camera: camera)
    let onLine = (0..<cloud.count).count { i in
      let p = point(cloud.positions, i)
      return p.z > -1.5 && Int(128 - camera.focalLength * p.x / p.z) == start - 5
    }
    #expect(onLine == 0)
  }

  @Test("a pole of eight pixels stays beside unclean edges") func narrowThingsStay() throws {
    // All pixels of the pole are within four pixels of an edge. Edges elsewhere are unclean.
    let map = softened(GeometryScenes.board(height: 192, width: 256), width: 4)
    var values = map.values
    for y in 0..<192 { for x in 40..<48 { values[y * 256 + x] = 0.6 } }
    let pole = DepthMap(height: 192, width: 256, unit: .disparity, values: values)
    let cloud = try pole.pointCloud(
      of: GeometryScenes.photo(pole), camera: GeometryScenes.camera(pole))
    let onPole = (0..<cloud.count).count { abs(-cloud.positions[3 * $0 + 2] - 1 / 0.6) < 0.01 }
    #expect(onPole >= 3 * 180, "\(onPole)")
  }

  /// The difference of disparity between ledge and wall is less than a pixel may move.
  @Test("a ledge of six pixels between surfaces stays") func ledgesBetweenSurfacesStay() throws {
    let map = softened(GeometryScenes.board(height: 192, width: 256), width: 4)
    let start = try #require((0..<256).first { map.values[$0] > 0.9 }) - 4
    var values = map.values
    for y in 0..<192 { for x in start - 3..<start + 3 { values[y * 256 + x] = 0.45 } }
    let ledge = DepthMap(height: 192, width: 256, unit: .disparity, values: values)
    let cloud = try ledge.pointCloud(
      of: GeometryScenes.photo(ledge), camera: GeometryScenes.camera(ledge))
    let onLedge = (0..<cloud.count).count { abs(-cloud.positions[3 * $0 + 2] - 1 / 0.45) < 0.01 }
    #expect((2 * 150...6 * 192).contains(onLedge), "\(onLedge)")
  }

  @Test("a hole takes the depth of its farthest neighbor") func holesTakeTheFarthestNeighbor() {
    // A hole between disparities 1 and 0.25.
    let row: [Float] = [1, 1, 0, 0, 0.25, 0.25]
    #expect(HoleFilling.filled(row, height: 1, width: 6) == [1, 1, 0.25, 0.25, 0.25, 0.25])
    #expect(HoleFilling.filled(row, height: 6, width: 1) == [1, 1, 0.25, 0.25, 0.25, 0.25])
    let cross: [Float] = [0, 0.7, 0, 0.9, 0, 0.8, 0, 0.6, 0]
    #expect(HoleFilling.filled(cross, height: 3, width: 3)[4] == 0.6)
    #expect(HoleFilling.filled([0, 0], height: 1, width: 2) == [0, 0])
  }

  @Test("the edge band is a square around every cut", arguments: 1...9, [(1, 1), (7, 5), (23, 31)])
  func theBandIsASquareAroundEveryCut(reach: Int, shape: (Int, Int)) {
    let (height, width) = shape
    let noise = CounterStream("geometry/cuts")
    let connections = (0..<height * width).map { UInt8(noise[$0] % 40 == 0 ? noise[$0] % 4 : 3) }
    let gaps = CounterStream("geometry/gaps")
    let disparity = (0..<height * width).map { gaps[$0] % 30 == 0 ? 0 : Float(1) }
    let band = EdgeBand(
      connections, disparity, height: height, width: width, reach: reach, threads: 2)
    func cuts(_ y: Int, _ x: Int) -> UInt8 {
      let i = y * width + x
      var neighbors: [Int] = []
      if x + 1 < width, connections[i] & 1 == 0 { neighbors.append(i + 1) }
      if y + 1 < height, connections[i] & 2 == 0 { neighbors.append(i + width) }
      if x > 0, connections[i - 1] & 1 == 0 { neighbors.append(i - 1) }
      if y > 0, connections[i - width] & 2 == 0 { neighbors.append(i - width) }
      let isJump = disparity[i] > 0 && neighbors.contains { disparity[$0] > 0 }
      return neighbors.isEmpty ? 0 : isJump ? 3 : 1
    }
    let (above, below) = band.verticalDistances(threads: 2)
    for y in 0..<height {
      for x in 0..<width {
        var expected: UInt8 = 0
        for row in max(y - reach + 1, 0)...min(y + reach - 1, height - 1) {
          for column in max(x - reach + 1, 0)...min(x + reach - 1, width - 1) {
            expected |= cuts(row, column)
          }
        }
        #expect(band.bytes[y * width + x] == expected)
        let up = (0...y).first { band.bytes[(y - $0) * width + x] == 0 }
        let down = (0..<height - y).first { band.bytes[(y + $0) * width + x] == 0 }
        #expect(above[y * width + x] == up.map(UInt16.init) ?? .max)
        #expect(below[y * width + x] == down.map(UInt16.init) ?? .max)
      }
    }
  }
}
