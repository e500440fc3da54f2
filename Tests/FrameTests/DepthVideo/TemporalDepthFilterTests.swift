import DepthErrors
import DepthImages
import Foundation
import Testing

@testable import DepthVideo

/// The filter removes flicker and keeps steps.
@Suite struct TemporalDepthFilterTests {
  private let height = 16
  private let width = 20

  /// Deterministic noise from −1 to 1.
  private func noise(_ index: Int, _ frame: Int) -> Float {
    var x = UInt64(bitPattern: Int64(index &* 7919 &+ frame &* 104_729 &+ 1))
    x = (x ^ (x >> 30)) &* 0xBF58_476D_1CE4_E5B9
    x = (x ^ (x >> 27)) &* 0x94D0_49BB_1331_11EB
    return Float((x ^ (x >> 31)) >> 40) * 0x1p-23 - 1
  }

  private func photo(_ level: (Int) -> UInt8) -> Image {
    Image(
      height: height, width: width,
      pixels: (0..<height * width).flatMap { [UInt8](repeating: level($0), count: 3) })
  }

  private func map(_ value: (Int) -> Float) -> DepthMap {
    DepthMap(
      height: height, width: width, unit: .metres, values: (0..<height * width).map(value))
  }

  private func deviation(_ maps: [DepthMap]) -> Double {
    let logs = maps.flatMap { $0.values.map { log(Double($0) / 2) } }
    return (logs.reduce(0) { $0 + $1 * $1 } / Double(logs.count)).squareRoot()
  }

  /// Six frames with noise, a jump of scale and a missing value.
  /// A third and a corner of the photo change.
  private func clip() -> [(depth: DepthMap, photo: Image)] {
    (0..<6).map { frame in
      let photo = photo { at in
        if at < 3 { return UInt8(60 * (frame % 2)) }
        return at % width > 13 ? UInt8(100 + 15 * (frame % 2)) : 50
      }
      let depth = map { at in
        at == 105 && frame == 3 ? 0 : (2 + 0.3 * noise(at, frame)) * (frame == 2 ? 1.3 : 1)
      }
      return (depth, photo)
    }
  }

  private func filtered(_ clip: [(depth: DepthMap, photo: Image)]) throws -> [DepthMap] {
    var filter = TemporalDepthFilter()
    return try clip.map { try filter.filtered($0.depth, photo: $0.photo) }
  }

  private func expectEqual(
    _ found: [DepthMap], _ wanted: [DepthMap], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for (frame, (found, wanted)) in zip(found, wanted).enumerated() {
      let farthest =
        zip(found.values, wanted.values).map { abs($0 / $1 - 1) }
        .filter { !$0.isNaN }.max() ?? 0
      #expect(farthest < 1e-4, "frame \(frame)", sourceLocation: sourceLocation)
      #expect(
        found.values.map { $0 == 0 } == wanted.values.map { $0 == 0 }, "frame \(frame)",
        sourceLocation: sourceLocation)
    }
  }

  @Test("scaled and mirrored films are filtered alike") func scaleAndSideDoNotMatter() throws {
    let clip = clip()
    let plain = try filtered(clip)
    func scaled(_ map: DepthMap) -> DepthMap { self.map { map.values[$0] * 7 } }
    expectEqual(
      try filtered(clip.map { (scaled($0.depth), $0.photo) }), plain.map(scaled))
    func mirror(_ at: Int) -> Int { at / width * width + width - 1 - at % width }
    func mirrored(_ map: DepthMap) -> DepthMap { self.map { map.values[mirror($0)] } }
    expectEqual(
      try filtered(
        clip.map { frame in
          (mirrored(frame.depth), photo { frame.photo.pixels[3 * mirror($0)] })
        }), plain.map(mirrored))
  }

  @Test("filtered depth is between the old and the new depth")
  func resultsLieBetweenOldAndNew() throws {
    let still = Array(repeating: clip()[0], count: 5)
    expectEqual(try filtered(still), still.map(\.depth))
    // All maps have one median, so the filter changes no scale.
    let photo = photo { _ in 50 }
    let clip = (0..<8).map { frame in
      (depth: map { at in at % 2 == frame % 2 ? 2 : 2.04 }, photo: photo)
    }
    let found = try filtered(clip)
    for (before, (frame, after)) in zip(found, zip(clip.dropFirst(), found.dropFirst())) {
      for at in after.values.indices {
        let (old, new) = (before.values[at], frame.depth.values[at])
        #expect(after.values[at] > min(old, new) - 1e-4 && after.values[at] < max(old, new) + 1e-4)
        #expect(abs(after.values[at] - old) < abs(new - old) * 0.9, "smoothed")
      }
    }
  }

  @Test("a still scene converges without a restart", arguments: [1.5, 3, 2.1] as [Float])
  func aStillSceneConverges(target: Float) throws {
    var filter = TemporalDepthFilter()
    let photo = photo { UInt8($0 % 200) }
    _ = try filter.filtered(map { _ in 2 }, photo: photo)
    var distance = abs(2 - target)
    for frame in 0..<60 {
      let found = try filter.filtered(map { _ in target }, photo: photo)
      let farthest = found.values.map { abs($0 - target) }.max() ?? 0
      #expect(farthest <= distance + 1e-5, "frame \(frame)")
      distance = farthest
    }
    #expect(distance < 0.01)
    #expect(!filter.hasRestarted)
  }

  @Test("a missing value stays missing until the next frame's value")
  func missingValuesStayMissing() throws {
    var filter = TemporalDepthFilter()
    let photo = photo { _ in 50 }
    _ = try filter.filtered(map { _ in 2 }, photo: photo)
    let gap = try filter.filtered(map { $0 == 105 ? 0 : 2 }, photo: photo)
    #expect(gap.values[105] == 0 && abs(gap.values[104] - 2) < 1e-4)
    let filled = try filter.filtered(map { $0 == 105 ? 3 : 2 }, photo: photo)
    #expect(abs(filled.values[105] - 3) < 1e-3 && abs(filled.values[104] - 2) < 1e-4)
  }

  @Test("flicker of a still scene is halved") func flickerIsHalved() throws {
    var filter = TemporalDepthFilter()
    let photo = photo { UInt8($0 % 200) }
    var (plain, steady): ([DepthMap], [DepthMap]) = ([], [])
    for frame in 0..<60 {
      let scale = 1 + 0.03 * noise(-1, frame)
      let depth = map { 2 * scale * (1 + 0.05 * noise($0, frame)) }
      plain.append(depth)
      steady.append(try filter.filtered(depth, photo: photo))
    }
    #expect(deviation(Array(steady[10...])) < 0.5 * deviation(Array(plain[10...])))
  }

  @Test("depth follows a changed photo at once") func photoChangesAreFollowedAtOnce() throws {
    var filter = TemporalDepthFilter()
    let before = photo { _ in 50 }
    let after = photo { at in at % width < 6 ? 90 : 50 }
    for _ in 0..<5 { _ = try filter.filtered(map { _ in 4 }, photo: before) }
    let step = try filter.filtered(map { $0 % width < 6 ? 1 : 4 }, photo: after)
    #expect(!filter.hasRestarted)
    #expect(step.values[0] == 1 || abs(step.values[0] - 1) < 1e-4)
    #expect(abs(step.values[width - 1] - 4) < 1e-3)
  }

  /// Cases include small steps of 8 % and weak contrasts.
  @Test(
    "nine tenths of a step appear within three frames",
    arguments: [0.92, 0.85, 1.2, 0.5], [8, 20, 60] as [UInt8])
  func comingAndGoingThingsAreFollowed(factor: Float, contrast: UInt8) throws {
    try checkSteps(factor: factor, contrast: contrast, noise: 0.015)
  }

  /// A network's noise on a still clip is 1.52 % of depth.
  @Test(
    "small steps are followed despite a network's noise",
    arguments: [0.92, 1.09], [8, 60] as [UInt8])
  func smallStepsAreFollowedInANetworksNoise(factor: Float, contrast: UInt8) throws {
    // The standard deviation of a uniform distribution is its half width over √3.
    try checkSteps(factor: factor, contrast: contrast, noise: 0.0152 * 3.0.squareRoot())
  }

  private func checkSteps(factor: Float, contrast: UInt8, noise amplitude: Double) throws {
    var filter = TemporalDepthFilter()
    let isThing = { (at: Int) in at % width < 6 && at / width < 8 }
    for phase in 0..<2 {
      // The object appears in phase 0 and disappears in phase 1. The photo's noise is one level.
      for frame in 0..<13 {
        let isThere = phase == 0 && frame >= 10 || phase == 1 && frame < 10
        let photo = photo { at in
          UInt8(50 + (noise(at, frame + 99) > 0 ? 1 : 0)) + (isThere && isThing(at) ? contrast : 0)
        }
        let depth = map { at in
          3 * (isThere && isThing(at) ? factor : 1) * (1 + Float(amplitude) * noise(at, frame))
        }
        let steady = try filter.filtered(depth, photo: photo)
        guard frame == 12 else { continue }
        let (old, new): (Float, Float) = phase == 0 ? (3, 3 * factor) : (3 * factor, 3)
        let things = (0..<height * width).filter(isThing)
        let mean = things.reduce(0) { $0 + steady.values[$1] } / Float(things.count)
        #expect(filter.hasRestarted == false)
        #expect((mean - old) / (new - old) >= 0.9, "phase \(phase): \(mean) of \(old) to \(new)")
        #expect(abs(steady.values[height * width - 1] - 3) < 0.06)
      }
    }
  }

  @Test("flicker falls below 55 % while half of the photo changes")
  func flickerIsHalvedWhileTheCameraMoves() throws {
    var filter = TemporalDepthFilter()
    var (plain, steady): ([DepthMap], [DepthMap]) = ([], [])
    for frame in 0..<60 {
      let photo = photo { $0 % width < width / 2 ? UInt8(50 + 60 * (frame % 2)) : 50 }
      let depth = map { 2 * (1 + 0.06 * noise($0, frame)) }
      plain.append(depth)
      steady.append(try filter.filtered(depth, photo: photo))
      #expect(filter.hasRestarted == (frame == 0))
    }
    #expect(deviation(Array(steady[10...])) < 0.55 * deviation(Array(plain[10...])))
  }

  @Test("the film of a still camera is smoothed more") func aStillCameraIsSmoothedMore() throws {
    func trembling(movingShare: Int) throws -> Double {
      var filter = TemporalDepthFilter()
      let maps = try (0..<60).map { frame in
        try filter.filtered(
          map { 2 * (1 + 0.05 * noise($0, frame)) },
          photo: photo { $0 % width < movingShare ? UInt8(50 + 60 * (frame % 2)) : 50 })
      }
      return deviation(Array(maps[10...]))
    }
    #expect(try trembling(movingShare: 0) < 0.7 * trembling(movingShare: 10))
  }

  @Test("a smoothing of 1 changes no depth") func smoothingOfOneChangesNothing() throws {
    var filter = TemporalDepthFilter(smoothing: 1)
    filter.scaleRate = 1
    let photo = photo { _ in 50 }
    for frame in 0..<3 {
      let depth = map { 2 + 0.3 * noise($0, frame) }
      let steady = try filter.filtered(depth, photo: photo)
      #expect(zip(steady.values, depth.values).allSatisfy { abs($0 - $1) < 1e-5 })
    }
  }

  @Test("a cut resets the filter") func aCutResetsTheFilter() throws {
    var filter = TemporalDepthFilter()
    _ = try filter.filtered(map { _ in 4 }, photo: photo { _ in 50 })
    #expect(filter.hasRestarted)
    let same = try filter.filtered(map { _ in 2 }, photo: photo { _ in 50 })
    #expect(!filter.hasRestarted && same.values[0] > 2.1)
    let other = map { 1 + Float($0) / 100 }
    #expect(try filter.filtered(other, photo: photo { _ in 200 }) == other)
    #expect(filter.hasRestarted)
    filter.reset()
    _ = try filter.filtered(other, photo: photo { _ in 200 })
    #expect(filter.hasRestarted)
  }

  @Test("invalid settings and units are refused") func settingsAndUnitsAreChecked() {
    let photo = photo { _ in 0 }
    for smoothing: Float in [0, -1, 1.5, .nan] {
      var filter = TemporalDepthFilter(smoothing: smoothing)
      #expect(throws: DepthError.self) { try filter.filtered(map { _ in 1 }, photo: photo) }
    }
    var filter = TemporalDepthFilter(photoThreshold: -1)
    #expect(throws: DepthError.self) { try filter.filtered(map { _ in 1 }, photo: photo) }
    filter = TemporalDepthFilter()
    let normalized = map { _ in 1 }.normalized()
    #expect(throws: DepthError.self) { try filter.filtered(normalized, photo: photo) }
  }

  @Test("the range of pictures moves slowly except at a cut") func theRangeOfPicturesMovesSlowly() {
    var range = PictureRange()
    let far = map { $0 % 2 == 0 ? 4 : 2 }
    let first = range.next(far, isCut: false)
    #expect(first == 0.25...0.5)
    let near = map { $0 % 2 == 0 ? 4 : 1 }
    let second = range.next(near, isCut: false)
    #expect(abs(second.upperBound - 0.55) < 1e-6 && abs(second.lowerBound - 0.25) < 1e-6)
    #expect(range.next(near, isCut: true) == 0.25...1)
    // Constant maps and maps without values also have a range.
    let flat = range.next(map { _ in 2 }, isCut: true)
    #expect(flat.lowerBound == 0.5 && flat.upperBound > 0.5)
    #expect(range.next(map { _ in 0 }, isCut: false) == flat)
    // After a cut to an empty map, the next map sets the range.
    #expect(range.next(map { _ in 0 }, isCut: true) == 0...1)
    #expect(range.next(far, isCut: false) == first)
  }

  /// The map is 10 % too far. A still quarter of the photo corrects half of that error.
  /// Otherwise films of moving scenes would pulsate.
  @Test("a still quarter of the photo steadies the scale of metric maps")
  func aQuarterThatStandsStillSteadiesTheScale() throws {
    var filter = TemporalDepthFilter()
    _ = try filter.filtered(map { _ in 2 }, photo: photo { _ in 50 })
    // The change is too small for a cut. Neighbors of changed pixels count as changed.
    let found = try filter.filtered(map { _ in 2.2 }, photo: photo { $0 % width < 6 ? 50 : 65 })
    #expect(!filter.hasRestarted)
    let wanted = 0.4 * (1 - 0.5 * 0.5) * log(1.1)
    for value in found.values { #expect(abs(log(Double(value) / 2) - wanted) < 1e-4) }
  }

  /// Noise cannot be measured while the light changes. The filter uses the noise of earlier frames.
  @Test("a step is followed at once while the light changes everywhere")
  func aQuietFilmFollowsAStepWhileTheLightChanges() throws {
    var filter = TemporalDepthFilter()
    for _ in 0..<3 { _ = try filter.filtered(map { _ in 2 }, photo: photo { _ in 50 }) }
    // A resumed run gives equal maps.
    var resumed = TemporalDepthFilter()
    resumed.restore(filter.saved)
    let found = try filter.filtered(map { _ in 2.2 }, photo: photo { _ in 70 })
    #expect(!filter.hasRestarted)
    #expect(try resumed.filtered(map { _ in 2.2 }, photo: photo { _ in 70 }) == found)
    for value in found.values { #expect(abs(value - 2.2) < 1e-4) }
  }

  /// Networks see some things one frame late.
  @Test("a late depth step is followed") func aStepThatComesAFrameLateIsFollowed() throws {
    var filter = TemporalDepthFilter()
    let thing = photo { $0 % width < 4 ? 110 : 50 }
    for _ in 0..<3 { _ = try filter.filtered(map { _ in 4 }, photo: photo { _ in 50 }) }
    _ = try filter.filtered(map { _ in 4 }, photo: thing)
    let found = try filter.filtered(map { $0 % width < 4 ? 2 : 4 }, photo: thing)
    // The map moves two thirds of the way, plus the smoothed share of the last third.
    let share = 0.4 * 0.4 * (1 - 2.0 / 3) + 2.0 / 3
    #expect(abs(log(4 / Double(found.values[0])) - share * log(2)) < 1e-3)
  }

  @Test("a step below the threshold is followed in part") func aSmallStepIsFollowedInPart() throws {
    var filter = TemporalDepthFilter()
    for _ in 0..<3 { _ = try filter.filtered(map { _ in 4 }, photo: photo { _ in 50 }) }
    let factor = Float(exp(0.025))
    let found = try filter.filtered(
      map { $0 % width < 6 ? 4 * factor : 4 }, photo: photo { $0 % width < 6 ? 110 : 50 })
    // The least threshold is 0.03, two thirds of which are 0.02. The step of 0.025 is halfway.
    #expect(abs(log(Double(found.values[0]) / 4) - (0.4 + 0.6 * 0.5) * 0.025) < 1e-4)
  }
}
