import DepthImages
import Testing
import _TestSupport

@testable import DepthVideo

/// Relative disparity of successive frames, whose scale and shift are each frame's own.
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

  /// A frame that differs by scale and shift alone comes nearer to the running one, and at last meets it.
  @Test func scaleAndShiftAreLocked() throws {
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

  @Test func noiseIsFiltered() throws {
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

  /// A cut restarts, with the new scale; a hole stays one until it has a value.
  @Test func cutsRestart() throws {
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

  /// The range of pictures follows the values themselves.
  @Test func picturesTakeTheValues() {
    var range = PictureRange()
    let found = range.next(map(scale: 4, shift: -1), isCut: true)
    #expect(abs(found.lowerBound + 1) < 0.15 && abs(found.upperBound - 2.9) < 0.15)
    let flat = DepthMap(
      height: 1, width: 2, unit: .relativeDisparity, values: [-2, -2])
    #expect(range.next(flat, isCut: true).upperBound > -2)
  }
}
