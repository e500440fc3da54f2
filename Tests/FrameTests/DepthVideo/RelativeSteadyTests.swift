import DepthImages
import Testing
import _TestSupport

@testable import DepthVideo

/// Relative disparity of successive frames, each with its own scale and shift.
@Suite struct RelativeSteadyTests {
  private let photo = testImage(height: 24, width: 32)

  private func map(scale: Float, shift: Float, noise: Float = 0, seed: Int = 0) -> DepthMap {
    DepthMap(
      height: 24, width: 32, unit: .relativeDisparity,
      values: (0..<24 * 32).map { index in
        let wobble = Float((index &* 7919 &+ seed &* 104_729) % 101) / 101 - 0.5
        return scale * (Float(index % 32) / 32 + noise * wobble) + shift
      })
  }

  private func difference(_ a: DepthMap, _ b: DepthMap) -> Float {
    zip(a.values, b.values).reduce(0) { $0 + abs($1.0 - $1.1) } / Float(a.values.count)
  }

  @Test("a frame's scale and shift approach the running averages")
  func scaleAndShiftAreLocked() throws {
    var filter = TemporalDepthFilter()
    let first = map(scale: 4, shift: 1)
    #expect(try filter.filtered(first, photo: photo) == first)
    let moved = map(scale: 5, shift: 0.2)
    let second = try filter.filtered(moved, photo: photo)
    #expect(second.unit == .relativeDisparity && !filter.hasRestarted)
    #expect(difference(second, first) < 0.3 * difference(moved, first))
    let third = try filter.filtered(first, photo: photo)
    #expect(difference(third, first) < 0.15 * difference(moved, first))
  }

  @Test("noise of relative disparity is more than halved") func noiseIsFiltered() throws {
    var (filter, last) = (TemporalDepthFilter(), DepthMap?.none)
    var (steady, plain): (Float, Float) = (0, 0)
    var before: DepthMap?
    for seed in 0..<6 {
      let new = map(scale: 4, shift: 0, noise: 0.02, seed: seed)
      let out = try filter.filtered(new, photo: photo)
      if let last, let before {
        steady += difference(out, last)
        plain += difference(new, before)
      }
      (last, before) = (out, new)
    }
    #expect(steady < 0.5 * plain)
  }

  @Test("a cut restarts the filter of relative maps") func cutsRestart() throws {
    var filter = TemporalDepthFilter()
    _ = try filter.filtered(map(scale: 4, shift: 0), photo: photo)
    let white = Image(height: 24, width: 32, pixels: [UInt8](repeating: 255, count: 24 * 32 * 3))
    let new = map(scale: 100, shift: 7)
    #expect(try filter.filtered(new, photo: white) == new)
    #expect(filter.hasRestarted)
    var values = new.values
    values[5] = .nan
    let hole = DepthMap(height: 24, width: 32, unit: .relativeDisparity, values: values)
    #expect(try filter.filtered(hole, photo: white).values[5].isNaN)
    #expect(try !filter.filtered(new, photo: white).values[5].isNaN)
    #expect(throws: Never.self) {
      let empty = DepthMap(
        height: 24, width: 32, unit: .relativeDisparity,
        values: .init(repeating: .nan, count: 24 * 32))
      _ = try filter.filtered(empty, photo: white)
    }
  }

  @Test("the range of pictures follows the map's values") func picturesTakeTheValues() {
    var range = PictureRange()
    let found = range.next(map(scale: 4, shift: -1), isCut: true)
    #expect(abs(found.lowerBound + 1) < 0.15 && abs(found.upperBound - 2.9) < 0.15)
    let flat = DepthMap(
      height: 1, width: 2, unit: .relativeDisparity, values: [-2, -2])
    #expect(range.next(flat, isCut: true).upperBound > -2)
  }

  @Test("one wild pixel does not hide motion") func aWildPixelDoesNotHideMotion() throws {
    func frame(_ step: Float) -> DepthMap {
      var values = map(scale: 4, shift: 1).values
      for index in values.indices where index % 32 < 8 { values[index] += step }
      values[400] = 4000
      return DepthMap(height: 24, width: 32, unit: .relativeDisparity, values: values)
    }
    func photo(_ level: UInt8) -> Image {
      Image(
        height: 24, width: 32,
        pixels: (0..<24 * 32 * 3).map { $0 / 3 % 32 < 8 ? level : 50 })
    }
    var filter = TemporalDepthFilter()
    for _ in 0..<3 { _ = try filter.filtered(frame(0), photo: photo(50)) }
    let found = try filter.filtered(frame(2), photo: photo(110))
    #expect(!filter.hasRestarted)
    for (index, value) in found.values.enumerated() where index % 32 < 8 {
      #expect(abs(value - frame(2).values[index]) < 1e-3)
    }
  }

  /// A still quarter of the photo is half of the evidence for a new scale.
  @Test("a still quarter of the photo steadies the scale of relative maps")
  func aQuarterThatStandsStillSteadiesTheScale() throws {
    let last = map(scale: 4, shift: 1)
    func photo(_ level: UInt8) -> Image {
      Image(
        height: 24, width: 32,
        pixels: (0..<24 * 32 * 3).map { $0 / 3 % 32 < 9 ? 50 : level })
    }
    var filter = TemporalDepthFilter()
    _ = try filter.filtered(last, photo: photo(50))
    let found = try filter.filtered(map(scale: 4, shift: 1.4), photo: photo(65))
    #expect(!filter.hasRestarted)
    let wanted: Float = 0.4 * (0.4 * (1 - 0.5 * 0.5))
    for (value, old) in zip(found.values, last.values) {
      #expect(abs(value - old - wanted) < 1e-3)
    }
  }
}
