import DepthErrors
import DepthImages
import Foundation
import Testing

@testable import ProximityAlerts

/// Alerts of the rule in metres, for maps with times.
@Suite struct ProximityMonitorTests {
  private let height = 10
  private let width = 30

  private func map(_ value: (_ y: Int, _ x: Int) -> Float) -> DepthMap {
    DepthMap(
      height: height, width: width, unit: .metres,
      values: (0..<height * width).map { value($0 / width, $0 % width) })
  }

  /// A wall at 3 m with an object at `metres` in the left third.
  private func scene(_ metres: Float) -> DepthMap { map { _, x in x < 10 ? metres : 3 } }

  private func events(
    _ monitor: inout ProximityMonitor, _ maps: [(Double, DepthMap)]
  ) throws -> [String] {
    try maps.flatMap { time, map in
      try monitor.observe(map, at: time).map { "\($0.kind.rawValue) \($0.zone) \($0.time)" }
    }
  }

  @Test("an alert begins and ends after a delay") func enterAndLeaveTakeTheirTimes() throws {
    var monitor = ProximityMonitor(rule: ProximityRule(), zones: ProximityZone.thirds)
    let near = try events(
      &monitor, (0...5).map { (Double($0) / 10, scene(0.5)) })
    #expect(near == ["enter left 0.2"])
    // One far map does not end the alert.
    #expect(try events(&monitor, [(0.6, scene(3)), (0.7, scene(0.5))]).isEmpty)
    let far = try events(&monitor, (8...15).map { (Double($0) / 10, scene(3)) })
    #expect(far == ["leave left 1.3"])
  }

  @Test("an alert's end distance exceeds the start distance") func thereIsHysteresis() throws {
    var rule = ProximityRule()
    (rule.enterTime, rule.leaveTime) = (0, 0)
    var monitor = ProximityMonitor(rule: rule, zones: ProximityZone.thirds)
    let found = try events(
      &monitor, [(0, scene(0.85)), (1, scene(0.79)), (2, scene(0.85)), (3, scene(0.93))])
    #expect(found == ["enter left 1.0", "leave left 3.0"])
  }

  @Test("more than a tenth of a zone raises an alert") func aShareOfTheZoneMustBeNear() throws {
    var rule = ProximityRule()
    rule.enterTime = 0
    var monitor = ProximityMonitor(rule: rule, zones: ProximityZone.thirds)
    // Exactly a tenth of the zone raises no alert.
    #expect(try monitor.observe(map { y, x in x == 0 && y < 10 ? 0.5 : 3 }, at: 0).isEmpty)
    let event = try monitor.observe(
      map { y, x in x == 0 || x == 1 && y == 0 ? 0.5 : 3 }, at: 1)
    #expect(event.map(\.zone) == ["left"])
    #expect(abs((event[0].share ?? 0) - 0.11) < 1e-9 && event[0].nearest == 0.5)
    // Six of the fifty pixels with depth are near.
    let reading = ZoneReading(
      map { y, x in y >= 5 ? 0 : x == 0 || x == 1 && y == 0 ? 0.5 : 3 },
      pixels: ProximityZone.thirds[0].pixels(height: height, width: width), rule: rule)
    #expect(reading.share == 0.12 && reading.validShare == 0.5 && reading.isNear)
  }

  @Test("a zone with too few depth pixels is blind") func tooLittleDepthIsBlind() throws {
    var monitor = ProximityMonitor(rule: ProximityRule(), zones: ProximityZone.thirds)
    let found = try events(
      &monitor,
      [
        (0, map { _, x in x < 10 ? 0 : 3 }), (1, map { _, x in x < 10 ? .nan : 3 }),
        (2, scene(3)),
      ])
    #expect(found == ["BLIND left 0.0", "sighted left 2.0"])
    #expect(monitor.lose(at: 4).map(\.zone) == ["left", "center", "right"])
    #expect(monitor.lose(at: 5).isEmpty)
    #expect(try events(&monitor, [(6, scene(3))]).count == 3)
    // Depth in three tenths of a zone is enough.
    for (columns, blind) in [(2, ["BLIND left 0.0"]), (3, [])] {
      var other = ProximityMonitor(rule: ProximityRule(), zones: ProximityZone.thirds)
      #expect(try events(&other, [(0, map { _, x in (columns..<10) ~= x ? 0 : 3 })]) == blind)
    }
  }

  @Test("zones follow a change of the map's size") func mapsMayChangeTheirSize() throws {
    var rule = ProximityRule()
    rule.enterTime = 0
    var monitor = ProximityMonitor(rule: rule, zones: ProximityZone.thirds)
    let large = DepthMap(
      height: 20, width: 60, unit: .metres, values: (0..<1200).map { $0 % 60 < 20 ? 0.5 : 3 })
    #expect(try events(&monitor, [(0, scene(3)), (1, large)]) == ["enter left 1.0"])
  }

  @Test("blindness restarts the alert's delay", arguments: [true, false])
  func timesBeginAnewAfterBlindness(isLost: Bool) throws {
    var monitor = ProximityMonitor(
      rule: ProximityRule(), zones: [try #require(ProximityZone("left"))])
    #expect(try events(&monitor, [(0, scene(0.5)), (0.1, scene(0.5))]).isEmpty)
    if isLost {
      #expect(monitor.lose(at: 0.2).map(\.kind) == [.blind])
    } else {
      #expect(try events(&monitor, [(0.2, scene(0))]) == ["BLIND left 0.2"])
    }
    let found = try events(&monitor, (3...6).map { (Double($0) / 10, scene(0.5)) })
    #expect(found == ["sighted left 0.3", "enter left 0.5"])
  }

  /// With three samples, one wrong sample could decide the speed.
  @Test("the time to contact needs four samples") func contactNeedsFourSamples() {
    var trend = ContactTrend()
    for step in 0..<3 {
      trend.add(3 - Double(step) / 10, at: Double(step) / 10)
      #expect(trend.secondsToContact == nil)
    }
    trend.add(2.7, at: 0.3)
    #expect(abs((trend.secondsToContact ?? 0) - 2.7) < 1e-6)
  }

  @Test(
    "an approach below 5 cm/s counts as standing still",
    arguments: [(0.04, nil), (0.06, 2 / 0.06), (-0.06, nil)] as [(Double, Double?)])
  func slowThingsStandStill(speed: Double, seconds: Double?) {
    var trend = ContactTrend()
    for step in 0...9 {
      let time = Double(step) / 10
      trend.add(2 + speed * (0.9 - time), at: time)
    }
    #expect(trend.secondsToContact.map { $0.rounded() } == seconds?.rounded())
  }

  @Test("one wrong frame does not change the time to contact") func secondsToContact() {
    var trend = ContactTrend()
    for step in 0..<10 {
      let time = Double(step) / 10
      trend.add(step == 6 ? 9 : 3 - time, at: time)
    }
    #expect(abs((trend.secondsToContact ?? 0) - 2.1) < 0.05)
    // After 1.5 s without motion, old samples no longer count.
    for step in 10..<25 { trend.add(2, at: Double(step) / 10) }
    #expect(trend.secondsToContact == nil)
    trend.forget()
    trend.add(1, at: 3)
    #expect(trend.secondsToContact == nil)
  }

  /// At 120 maps per second, 0.75 s of approach must outweigh 0.25 s without motion.
  @Test("the time to contact uses one second at any rate") func aSecondIsLookedBackAtAnyRate() {
    var trend = ContactTrend()
    for step in 0...120 {
      let time = Double(step) / 120
      trend.add(max(3 - time, 2.25), at: time)
    }
    #expect(abs((trend.secondsToContact ?? 0) - 2) < 0.05)
  }

  /// Some cameras deliver frames in bursts. Simultaneous frames give no speed.
  @Test("a burst of frames counts as one frame") func aBurstOfFramesCountsAsOne() {
    var trend = ContactTrend()
    for step in 0...5 { trend.add(3 - Double(step) / 10, at: Double(step) / 10) }
    for step in 1...20 { trend.add(2.5, at: 0.5 + Double(step) / 1000) }
    #expect(abs((trend.secondsToContact ?? .infinity) - 2.5) < 0.1)
  }

  @Test("only polygons with pixels are zones") func zonesArePolygons() throws {
    #expect(ProximityZone("door:0,0,0.5,0,0.5,1,0,1")?.pixels(height: 2, width: 4) == [0, 1, 4, 5])
    for (name, pixels) in [
      ("upper", [0, 1, 2]), ("lower", [3, 4, 5]), ("left", [0, 3]), ("right", [2, 5]),
    ] {
      #expect(ProximityZone(name)?.pixels(height: 2, width: 3) == pixels)
    }
    // Centers on the triangle's diagonal count on only one side.
    let triangle = try #require(ProximityZone("t:0,0,1,0,0,1"))
    #expect(triangle.pixels(height: 3, width: 3).count == 3)
    for text in [
      "", "a", "a:", ":0,0,1,0,1,1", "a:0,0,1,0", "a:0,0,1,0,1", "a:0,0,2,0,1,1", "a:x,0,1,0,1,1",
    ] {
      #expect(ProximityZone(text) == nil, "\(text)")
    }
    var monitor = ProximityMonitor(
      rule: ProximityRule(), zones: [try #require(ProximityZone("tiny:0,0,0.001,0,0,0.001"))])
    // The second map of this size is refused, too.
    for time in [0.0, 1] {
      #expect(throws: DepthError.self) { try monitor.observe(scene(1), at: time) }
    }
  }

  @Test(
    "only an outline that encloses points has area",
    arguments: [
      ("0,0,0.5,0,0.5,1,0,1", true), ("0,0,1,1,0,1,1,0", true), ("0,0,1,1,1,0,0,1", true),
      ("0.1,0.1,0.2,0.2,0.3,0.3", false), ("0,0.5,1,0.5,0.3,0.5", false), ("0,0,0,1,0,0.5", false),
      ("0,0,1,0,1,1,1,0", false), ("0.2,0.2,0.2,0.2,0.2,0.2", false),
      // A bow-tie, a star, a square traced twice, a line there and back, and thin triangles.
      ("0.1,0.2,0.9,0.8,0.9,0.2,0.1,0.8", true), ("0.5,0,0.8,0.9,0,0.3,1,0.3,0.2,0.9", true),
      ("0.2,0.2,0.7,0.2,0.7,0.7,0.2,0.7,0.2,0.2,0.7,0.2,0.7,0.7,0.2,0.7", false),
      ("0.2,0.1,0.8,0.7,0.4,0.3,0.6,0.5", false), ("0,0.5,1,0.5,0.5,0.500001", true),
      ("0.5,0,0.500001,1,0.5,1", true),
    ])
  func outlinesWithoutAreaAreFound(corners: String, hasArea: Bool) throws {
    #expect(try #require(ProximityZone("z:\(corners)")).hasArea == hasArea)
  }

  /// Ten edges have full height. Each edge meets another edge at 0, 0.3, 0.5 and 0.8 of the height.
  /// The zone has no width at these heights.
  @Test("area between the crossings of an outline is found") func areaBetweenCrossingsIsFound() {
    let zone = ProximityZone(
      name: "z",
      corners: [
        [0.035, 1], [0.9, 0], [0.275, 1], [0.4, 1], [0.4, 0], [0.535, 1], [0.955, 1], [0.22, 0],
        [0.82, 1], [0.875, 1], [0.54, 0], [0.5, 1], [0.08, 1], [0.72, 0], [0.695, 1],
      ])
    #expect(zone.hasArea)
  }

  @Test("a scan gives each column's nearest distance") func columnsAreScanned() throws {
    let camera = Camera(width: 300, height: 100, focalLength: 200)
    let wall = ColumnScan(map { _, _ in 2 }, camera: camera, rows: 0...1)
    #expect(wall.ranges.count == width && wall.angleMin == -wall.angleMax)
    // For a frontal wall, range · cos(angle) is the depth.
    for (index, range) in wall.ranges.enumerated() {
      let angle = wall.angleMin + Double(index) * wall.angleIncrement
      #expect(abs((range ?? 0) * cosine(angle) - 2) < 1e-9)
    }
    // The last range belongs to the left column. Rows outside the band do not count.
    let thing = ColumnScan(
      map { y, x in x == 0 && y == 5 ? 1 : y == 0 ? 0.1 : 2 }, camera: camera, rows: 0.2...0.8)
    #expect((thing.ranges.last ?? nil).map { $0 < 1.3 } == true)
    #expect((thing.ranges.first ?? nil).map { $0 > 2 } == true)
    let empty = ColumnScan(map { _, _ in 0 }, camera: camera, rows: 0...1)
    #expect(empty.ranges.allSatisfy { $0 == nil })
  }

  @Test(
    "a scan includes every row that the band touches",
    arguments: [
      (0...1, [0, 1, 2]), (0...0.5, [0, 1]), (0...0.33, [0]), (0.5...0.5, [1]), (0.34...0.66, [1]),
      (0.33...0.67, [0, 1, 2]), (0.67...1, [2]), (1...1, [2]), (-1...0, [0]),
    ] as [(ClosedRange<Double>, [Int])])
  func theBandEndsWithTheRowThatItReaches(rows: ClosedRange<Double>, counted: [Int]) {
    let camera = Camera(width: 1, height: 3, focalLength: 2)
    for row in 0..<3 {
      let map = DepthMap(
        height: 3, width: 1, unit: .metres, values: (0..<3).map { $0 == row ? 1 : 2 })
      #expect(ColumnScan(map, camera: camera, rows: rows).ranges == [counted.contains(row) ? 1 : 2])
    }
  }

  /// The cosine series, exact enough for camera angles.
  private func cosine(_ x: Double) -> Double {
    var (term, sum) = (1.0, 1.0)
    for n in 1...12 {
      term *= -x * x / Double((2 * n - 1) * (2 * n))
      sum += term
    }
    return sum
  }

  /// An alert stays at half of its starting share, to avoid flutter.
  @Test("an alert ends below half of its starting share")
  func leavingTakesLessThanHalfOfTheShare() throws {
    var rule = ProximityRule()
    (rule.enterTime, rule.leaveTime) = (0, 0)
    var monitor = ProximityMonitor(rule: rule, zones: ProximityZone.thirds)
    /// A map whose zone has `pixels` near pixels among a hundred.
    func thing(_ pixels: Int) -> DepthMap {
      map { y, x in x < 10 && 10 * y + x < pixels ? 0.5 : 3 }
    }
    let found = try events(&monitor, [(0, thing(12)), (1, thing(7)), (2, thing(6)), (3, thing(5))])
    #expect(found == ["enter left 0.0", "leave left 3.0"])
  }

  @Test("an approach before blindness gives no time to contact", arguments: [false, true])
  func anApproachBeforeBlindnessGivesNoTimeToContact(isLost: Bool) throws {
    var monitor = ProximityMonitor(rule: ProximityRule(), zones: ProximityZone.thirds)
    for step in 0...5 {
      _ = try monitor.observe(scene(3 - Float(step) / 10), at: Double(step) / 10)
    }
    let blind =
      try isLost ? monitor.lose(at: 0.6) : monitor.observe(map { _, _ in 0 }, at: 0.6)
    #expect(blind.map(\.kind) == [.blind, .blind, .blind])
    let sighted = try monitor.observe(scene(2.3), at: 0.7)
    #expect(sighted.map(\.kind) == [.sighted, .sighted, .sighted])
    #expect(sighted.allSatisfy { $0.secondsToContact == nil })
  }

  /// A replaced frame must not look like a jump towards the camera.
  @Test("the later of two maps at one time is used") func ofTwoMapsOfOneMomentTheLaterCounts() {
    var trend = ContactTrend()
    for step in 0...6 {
      let time = Double(step) / 10
      trend.add(5 - time, at: time)
      trend.add(2 - time, at: time)
    }
    #expect(abs((trend.secondsToContact ?? .infinity) - 1.4) < 1e-6)
  }

  @Test("a scan's angles end at the outermost columns") func scansAreAsWideAsTheCamera() {
    let camera = Camera(width: 300, height: 100, focalLength: 200)
    let scan = ColumnScan(map { _, _ in 2 }, camera: camera, rows: 0...1)
    #expect(abs(scan.angleMax - atan(14.5 / 20)) < 1e-12)
    #expect(abs(scan.angleIncrement - 2 * atan(14.5 / 20) / 29) < 1e-12)
  }

  /// 0.7 − 0.4 is slightly below 0.3 in binary. The alert must not wait for another frame.
  @Test("binary rounding of times delays no alert") func roundedTimesCostNoFrame() throws {
    var rule = ProximityRule()
    rule.enterTime = 0.3
    var monitor = ProximityMonitor(rule: rule, zones: ProximityZone.thirds)
    #expect(0.7 - 0.4 < 0.3)
    let found = try events(&monitor, [0.4, 0.5, 0.6, 0.7, 0.8].map { ($0, scene(0.5)) })
    #expect(found == ["enter left 0.7"])
  }

  @Test("a few wild pixels are not the nearest thing") func wildPixelsAreNotTheNearest() throws {
    var rule = ProximityRule()
    rule.enterTime = 0
    var monitor = ProximityMonitor(rule: rule, zones: ProximityZone.thirds)
    let event = try monitor.observe(
      map { y, x in x >= 10 ? 3 : x == 0 && y < 5 ? 0.1 : 0.5 }, at: 0)
    #expect(event.first?.nearest == 0.5)
  }
}
