import DepthErrors
import DepthImages
import Foundation
import Testing
import _TestSupport

@testable import DepthVideo

/// Flicker goes, steps stay.
@Suite(.offPool) struct TemporalDepthFilterTests {
  private let height = 16
  private let width = 20

  /// Small deterministic noise, −1…1.
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

  /// The filter by its definition, in 64-bit floats, one pixel at a time.
  @Test func equalsItsDefinition() throws {
    var filter = TemporalDepthFilter()
    var running: [Double] = []
    var open = [Double](repeating: 0, count: height * width)
    var deviation: Double?
    var before = photo { _ in 0 }
    for frame in 0..<6 {
      // The right third changes by 15 levels every second frame, one corner by 60.
      let photo = photo { at in
        if at < 3 { return UInt8(60 * (frame % 2)) }
        return at % width > 13 ? UInt8(100 + 15 * (frame % 2)) : 50
      }
      let depth = map { at in
        at == 5 && frame == 3 ? 0 : (2 + 0.3 * noise(at, frame)) * (frame == 2 ? 1.3 : 1)
      }
      let found = try filter.filtered(depth, photo: photo)
      let new = depth.values.map { $0 > 0 ? log(Double($0)) : .nan }
      if frame == 0 {
        running = new
      } else {
        let change = (0..<height * width).map { at -> Double in
          var largest = 0
          for y in max(0, at / width - 1)...min(height - 1, at / width + 1) {
            for x in max(0, at % width - 1)...min(width - 1, at % width + 1) {
              let i = (y * width + x) * 3
              largest = max(largest, abs(Int(photo.pixels[i]) - Int(before.pixels[i])))
            }
          }
          return Double(largest)
        }
        let differences = change.indices.filter { change[$0] <= 10 }
          .map { new[$0] - running[$0] }.filter { !$0.isNaN }.sorted()
        let evidence = min(1, 2 * Double(differences.count) / Double(height * width))
        let offset =
          differences.isEmpty ? 0 : 0.5 * evidence * differences[differences.count / 2]
        // In every second frame the camera is taken to be still.
        let moving = Double(change.count { $0 > 10 }) / Double(change.count)
        let least = pow(0.4, 1 + max(0, 1 - moving / 0.3))
        let trembling = differences.map { abs($0 - offset) }.sorted()
        if trembling.count * 20 >= height * width {
          deviation = trembling[trembling.count / 2] / 0.6745
        }
        let step = min(0.2, max(0.03, 3 * (deviation ?? .infinity)))
        let level = min(20, max(8, 6 * change.sorted()[change.count / 2]))
        for at in change.indices {
          let aligned = new[at] - offset
          let seen = min(1, max(0, change[at] - level / 2) / (level / 2))
          open[at] = max(seen, open[at] - 1.0 / 3)
          let felt = min(1, max(0, abs(aligned - running[at]) - step * 2 / 3) / (step / 3))
          let share = least + (1 - least) * open[at] * felt
          let change = share * (aligned - running[at])
          running[at] = change.isNaN ? aligned : running[at] + change
        }
      }
      for at in running.indices {
        let wanted = running[at].isNaN ? 0 : exp(running[at])
        #expect(abs(Double(found.values[at]) - wanted) < 1e-4, "frame \(frame), pixel \(at)")
      }
      before = photo
    }
  }

  @Test func flickerIsHalved() throws {
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

  @Test func whatChangesInThePhotoIsFollowedAtOnce() throws {
    var filter = TemporalDepthFilter()
    let before = photo { _ in 50 }
    let after = photo { at in at % width < 6 ? 90 : 50 }
    for _ in 0..<5 { _ = try filter.filtered(map { _ in 4 }, photo: before) }
    let step = try filter.filtered(map { $0 % width < 6 ? 1 : 4 }, photo: after)
    #expect(!filter.hasRestarted)
    #expect(step.values[0] == 1 || abs(step.values[0] - 1) < 1e-4)
    #expect(abs(step.values[width - 1] - 4) < 1e-3)
  }

  /// Things that come or go are followed where the photo shows it, also 8 % of their distance and in colors that
  /// differ little, however the network's map trembles.
  @Test(arguments: [0.92, 0.85, 1.2, 0.5], [8, 20, 60] as [UInt8])
  func whatAppearsAndVanishesIsFollowed(factor: Float, contrast: UInt8) throws {
    try checkSteps(factor: factor, contrast: contrast, noise: 0.015)
  }

  /// The same with the noise that a network has on a still clip, 1.52 % of depth.
  @Test(arguments: [0.92, 1.09], [8, 60] as [UInt8])
  func smallStepsAreFollowedInANetworksNoise(factor: Float, contrast: UInt8) throws {
    // A uniform distribution deviates by its half width over √3.
    try checkSteps(factor: factor, contrast: contrast, noise: 0.0152 * 3.0.squareRoot())
  }

  private func checkSteps(factor: Float, contrast: UInt8, noise amplitude: Double) throws {
    var filter = TemporalDepthFilter()
    let isThing = { (at: Int) in at % width < 6 && at / width < 8 }
    for phase in 0..<2 {
      // Still, then there, then gone again; the photo's own noise is a level.
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

  /// Edges that move past a surface leave its depth steady: half of the photo changes, the depth only trembles.
  @Test func flickerIsHalvedWhileTheCameraMoves() throws {
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

  /// What a still camera sees trembles less than what a moving one sees.
  @Test func aStillCameraIsSmoothedMore() throws {
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

  @Test func smoothingOfOneChangesNothing() throws {
    var filter = TemporalDepthFilter(smoothing: 1)
    filter.scaleRate = 1
    let photo = photo { _ in 50 }
    for frame in 0..<3 {
      let depth = map { 2 + 0.3 * noise($0, frame) }
      let steady = try filter.filtered(depth, photo: photo)
      #expect(zip(steady.values, depth.values).allSatisfy { abs($0 - $1) < 1e-5 })
    }
  }

  @Test func aCutStartsAnew() throws {
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

  @Test func settingsAndUnitsAreChecked() {
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

  @Test func theRangeOfPicturesMovesSlowly() {
    var range = PictureRange()
    let far = map { $0 % 2 == 0 ? 4 : 2 }
    let first = range.next(far, isCut: false)
    #expect(first == 0.25...0.5)
    let near = map { $0 % 2 == 0 ? 4 : 1 }
    let second = range.next(near, isCut: false)
    #expect(abs(second.upperBound - 0.55) < 1e-6 && abs(second.lowerBound - 0.25) < 1e-6)
    #expect(range.next(near, isCut: true) == 0.25...1)
    // Constant maps and maps without a value have a range too.
    let flat = range.next(map { _ in 2 }, isCut: true)
    #expect(flat.lowerBound == 0.5 && flat.upperBound > 0.5)
    #expect(range.next(map { _ in 0 }, isCut: false) == flat)
    // A cut to a map without a value: the next one has the range of its own.
    #expect(range.next(map { _ in 0 }, isCut: true) == 0...1)
    #expect(range.next(far, isCut: false) == first)
  }
}
