import DepthErrors
import DepthImages
import SceneRendering
import Testing
import _TestSupport

@testable import DepthEffects

/// A focus without a number: the smallest distance, or the nearest large thing.
@Suite struct SubjectTests {
  /// A level floor with a wall at 5 m, a large box at 2.2 m, a small box at 1.5 m and a speck at
  /// 0.9 m.
  private static func room(width: Int, height: Int) -> DepthMap {
    var metres = (0..<height * width).map { i -> Float in
      let below = max(Double(i / width) + 0.5 - Double(height) / 2, 1e-3)
      return Float(min(5, 1.4 * 0.8 * Double(width) / below))
    }
    for (distance, share, place) in [(2.2, 0.3, 0.55), (1.5, 0.05, 0.1)] {
      let side = Int(share * Double(width))
      let bottom = min(height, height / 2 + Int(1.4 * 0.8 * Double(width) / distance))
      let left = Int(place * Double(width))
      for y in bottom - side..<bottom {
        for x in left..<left + side { metres[y * width + x] = Float(distance) }
      }
    }
    metres[height / 3 * width + width / 3] = 0.9
    return DepthMap(height: height, width: width, unit: .metres, values: metres)
  }

  @Test(
    "the subject is the nearest large thing",
    arguments: [(640, 480), (300, 500)])
  func nearestIsTheEndOfTheRangeAndTheSubjectIsLarge(width: Int, height: Int) throws {
    let map = Self.room(width: width, height: height)
    let nearest = try #require(try DepthFocus.nearest.distance(in: map))
    #expect(Float(nearest) == 0.9 && Float(nearest) == map.range()?.low)
    let subject = try #require(try DepthFocus.subject.distance(in: map))
    #expect(Float(subject) == 2.2)
    let pixel = try #require(map.subject(threads: 1))
    #expect(map.values[pixel.y * width + pixel.x] == 2.2)
  }

  /// The slats and legs of a chair do not touch. Each is too small for a subject.
  @Test("separate parts at one depth are one subject") func partsOfOneDepthAreOneThing() throws {
    let (width, height) = (640, 480)
    var metres = [Float](repeating: 4, count: width * height)
    for slat in 0..<7 {
      for y in 100 + 60 * (slat % 4)..<155 + 60 * (slat % 4) {
        for x in 200 + 90 * (slat / 4)..<240 + 90 * (slat / 4) {
          metres[y * width + x] = 1.8 + 0.05 * Float(slat)
        }
      }
    }
    let map = DepthMap(height: height, width: width, unit: .metres, values: metres)
    let subject = try #require(try DepthFocus.subject.distance(in: map))
    #expect(subject >= 1.8 && subject < 2.11)
  }

  /// A map of 64×48 cells of 2×2 pixels, in disparity.
  private static func cells(_ disparity: (_ row: Int, _ column: Int) -> Float) -> DepthMap {
    DepthMap(
      height: 96, width: 128, unit: .disparity,
      values: (0..<96 * 128).map { disparity($0 / 256, $0 % 128 / 2) })
  }

  /// Eight rows of the thing stand upright on a floor, before a wall at 5 m. With eight columns,
  /// these rows are 2 % of the photo. The floor is half of the photo.
  @Test(
    "a thing needs 2 % of the photo to be the subject", arguments: [(6, 5.0), (8, 2.0)])
  func aThingIsLargeByItsShareOfTheWholePhoto(columns: Int, metres: Double) throws {
    let map = Self.cells { row, column in
      if (2..<12).contains(row), (20..<20 + columns).contains(column) { return 0.5 }
      return row < 24 ? 0.2 : 0.2 * (1 + Float(row - 24) / 3)
    }
    let distance = try #require(try DepthFocus.subject.distance(in: map))
    #expect(abs(distance - metres) < 1e-5)
  }

  /// Cells between two gaps are not known to stand upright.
  @Test("a row between two gaps is not the subject") func cellsBetweenGapsAreNotUpright() throws {
    let map = Self.cells { row, _ in
      switch row {
      case 9, 11, 19, 21: 0
      case 10, 20: 0.5
      default: 0.2
      }
    }
    let distance = try #require(try DepthFocus.subject.distance(in: map))
    #expect(abs(distance - 5) < 1e-5)
  }

  /// Slats of two cells stand before a floor whose rows are 2.5 to 5 m away. No slat is upright.
  /// Slats hardly nearer than their rows may be a pattern of the floor.
  @Test("parts are a subject only before the floor's rows", arguments: [(2.0, 2.0), (4.2, 5.0)])
  func partsStandInFrontOfTheirRows(metres: Double, subject: Double) throws {
    let map = Self.cells { row, column in
      if (24..<36).contains(row), row % 4 < 2, (20..<34).contains(column) {
        return Float(1 / metres)
      }
      return row < 24 ? 0.2 : 0.2 * (1 + Float(row - 24) / 24)
    }
    let distance = try #require(try DepthFocus.subject.distance(in: map))
    #expect(abs(distance - subject) < 1e-5)
  }

  /// The last row is 2 % of the photo, but is not upright.
  @Test("the last row of a floor is not the subject")
  func aFloorIsNoSubjectAtThePhotosBorder() throws {
    let map = Self.cells { row, _ in row < 12 ? 0.2 : 0.05 * Float(row - 8) }
    let distance = try #require(try DepthFocus.subject.distance(in: map))
    #expect(abs(distance - 5) < 1e-5)
  }

  /// Boxes are at known places. The correct subject is the nearest box that fills 2 % of the photo.
  @Test("the subject is the nearest large box in 54 of 60 rooms")
  func theNearestOfKnownThingsIsInFocus() throws {
    var found = 0
    for seed in UInt64(1)...60 {
      let (map, things) = Self.roomOfBoxes(seed: seed)
      let subject = try #require(try DepthFocus.subject.distance(in: map))
      if things[0].contains(subject / 1.1) || things[0].contains(subject * 1.1)
        || things[0].contains(subject)
      {
        found += 1
      }
      if things.count > 1 { #expect(subject <= things[1].upperBound * 1.1, "room \(seed)") }
    }
    #expect(found >= 54, "the subject is correct in \(found) of 60 rooms")
  }

  /// A map of a room with boxes on the floor, and the depths of boxes that fill 2 %, nearest first.
  private static func roomOfBoxes(seed: UInt64) -> (DepthMap, [ClosedRange<Double>]) {
    let stream = CounterStream("boxes \(seed)")
    func random(_ index: Int, _ range: ClosedRange<Float>) -> Float {
      range.lowerBound + (range.upperBound - range.lowerBound) * Float(stream[index] & 1023) / 1023
    }
    let plain = Material(Vector(repeating: 0.5))
    let solids = (0..<6).map { index -> Solid in
      let size = Vector(
        random(10 * index, 0.15...0.9), random(10 * index + 1, 0.3...1.8),
        random(10 * index + 2, 0.15...0.6))
      let place = Vector(
        random(10 * index + 3, -1.6...1.6), size.y / 2, random(10 * index + 4, -1.5...3))
      return .box(plain, center: place, size: size, yaw: random(10 * index + 5, -3...3))
    }
    let scene = Scene(
      size: [5, 2.6, 7.5],
      surroundings: .init(floor: plain, ceiling: plain, walls: [plain, plain, plain, plain]),
      solids: solids, lights: [],
      viewpoint: Viewpoint(position: [0, 1.4, -3.4], pitch: random(99, -0.35...0)))
    let camera = scene.camera(width: 128, height: 96)
    let rendering = Rendering(of: scene, from: camera, samples: 1, threads: 1)
    let things = solids.indices.compactMap { index -> ClosedRange<Double>? in
      let depths = zip(rendering.surfaces, rendering.depth.values)
        .filter { $0.0 == Scene.firstSolid + Int32(index) }.map { Double($0.1) }.sorted()
      guard depths.count * 50 >= rendering.surfaces.count else { return nil }
      return depths[depths.count / 20]...depths[depths.count * 19 / 20]
    }
    let sorted = things.sorted { $0.lowerBound < $1.lowerBound }
    return (rendering.depth, sorted.isEmpty ? [0...10] : sorted)
  }

  @Test("a focus on nearest or subject equals its distance") func effectsFocusThere() throws {
    let map = Self.room(width: 64, height: 48)
    let photo = MadeUpPictures.photo(height: 48, width: 64)
    for (focus, metres) in [(DepthFocus.nearest, 0.9), (.subject, 2.2)] {
      let mask = try photo.focusMask(depth: map, focus: focus)
      let expected = try photo.focusMask(depth: map, focus: .metres(metres))
      expectClose(mask.values, expected.values.map(Double.init), absolute: 1e-5)
      let span = try #require(try map.focusSpan(focus, of: photo, threads: 1))
      #expect(abs((span.plane ?? 0) - 1 / metres) < 1e-6)
    }
  }

  @Test("the subject is equal in any unit") func theUnitDoesNotMatter() throws {
    let map = Self.room(width: 128, height: 96)
    let pixel = try #require(map.subject(threads: 1))
    let disparity = try map.inDisparity()
    let white = disparity.normalized(near: .white)
    for other in [disparity, white, disparity.normalized(near: .black)] {
      let found = try #require(other.subject(threads: 1))
      let value = map.values[found.y * 128 + found.x]
      #expect(value == map.values[pixel.y * 128 + pixel.x], "\(other.unit)")
    }
    #expect(try DepthFocus.subject.distance(in: white) == nil)
    let metres = try #require(try DepthFocus.subject.distance(in: disparity))
    #expect(abs(metres - 2.2) < 1e-5)
  }

  @Test("a map of one pixel has a subject") func smallAndEmptyMapsHaveOneOrNone() throws {
    let one = DepthMap(height: 1, width: 1, unit: .metres, values: [2])
    #expect(try DepthFocus.subject.distance(in: one) == 2)
    let empty = DepthMap(height: 3, width: 4, unit: .metres, values: Array(repeating: 0, count: 12))
    #expect(empty.subject(threads: 1) == nil)
    #expect(throws: DepthError.self) { try DepthFocus.subject.distance(in: empty) }
    // In a column of floor, nothing stands upright.
    let floor = DepthMap(
      height: 200, width: 1, unit: .metres, values: (0..<200).map { 2 + 0.05 * Float(199 - $0) })
    let distance = try #require(try DepthFocus.subject.distance(in: floor))
    #expect(distance > 2 && distance < 2.6)
  }

  @Test("shares, metres and points have a distance") func otherFocusesHaveADistance() throws {
    let map = DepthMap(height: 1, width: 3, unit: .metres, values: [1, 2, 4])
    for (focus, metres) in [
      (DepthFocus.normalized(0), 4.0), (.normalized(1), 1), (.metres(9), 9),
      (.point(x: 1, y: 0), 2),
    ] {
      let distance = try #require(try focus.distance(in: map))
      #expect(abs(distance - metres) < 1e-9, "\(focus)")
    }
  }
}
