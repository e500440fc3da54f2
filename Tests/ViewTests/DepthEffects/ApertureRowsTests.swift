import CDepthSIMD
import Foundation
import Testing

@testable import DepthEffects

/// The rows of pixels that apertures cover.
@Suite struct ApertureRowsTests {
  /// Pixel weights of one aperture level, by row and column from the center.
  static func weights(_ aperture: ApertureRows, level: Int) -> [SIMD2<Int>: Double] {
    var result: [SIMD2<Int>: Double] = [:]
    let reach = Int(aperture.reach[abs(level)])
    for row in -reach...reach {
      let span = aperture.rows[Int(aperture.middle[level + aperture.largest]) + row]
      var steps: [Int: Double] = [:]
      for (at, step) in [
        (span.left, span.rise), (span.left + 1, span.rise_next), (span.right, span.fall),
        (span.right + 1, span.fall_next),
      ] { steps[Int(at), default: 0] += Double(step) }
      var sum = 0.0
      for column in -aperture.extent...aperture.extent {
        sum += steps[column] ?? 0
        if abs(sum) > 1e-6 { result[SIMD2(row, column)] = sum }
      }
      #expect(abs(steps.values.reduce(0, +)) < 1e-7)
    }
    return result
  }

  @Test("aperture weights have sum 1 and the correct radius", arguments: [0, 3, 5, 6, 9])
  func discsKeepEnergySizeAndPlace(blades: Int) {
    let aperture = ApertureRows(largest: 60, step: 0.25, blades: blades, rotation: 12)
    for level in -60...60 {
      let weights = Self.weights(aperture, level: level)
      let radius = abs(Double(level)) * 0.25
      #expect(abs(weights.values.reduce(0, +) - 1) < 1e-5)
      #expect(weights.values.allSatisfy { $0 > 0 })
      func moment(_ value: (SIMD2<Double>) -> Double) -> Double {
        weights.reduce(0) { $0 + $1.value * value(SIMD2(Double($1.key.x), Double($1.key.y))) }
      }
      let middle = SIMD2(moment(\.x), moment(\.y))
      #expect((middle * middle).sum().squareRoot() < 0.2, "\(radius): \(middle)")
      guard blades == 0 else { continue }
      // Each of a disc's two second moments is r² / 4.
      let measured = (2 * (moment { $0.x * $0.x } + moment { $0.y * $0.y })).squareRoot()
      #expect(abs(measured - radius) < 0.1, "\(radius): \(measured)")
    }
  }

  /// Light from in front of the focus arrives upside down.
  @Test("an aperture is upside down in front of focus") func trianglesTurnOverInFrontOfTheFocus() {
    let aperture = ApertureRows(largest: 20, step: 0.5, blades: 3, rotation: 0)
    let (front, back) = (Self.weights(aperture, level: 20), Self.weights(aperture, level: -20))
    for (place, weight) in back {
      let mirrored = SIMD2(-place.x, -place.y)
      #expect(abs((front[mirrored] ?? 0) - weight) < 1e-6)
    }
    // The aperture has a corner on top behind the focus.
    let top = back.keys.map(\.x).min() ?? 0
    let bottom = back.keys.map(\.x).max() ?? 0
    #expect(-top > bottom + 3)
    // A quarter turn counterclockwise moves the corner to the left.
    let turned = Self.weights(
      ApertureRows(largest: 20, step: 0.5, blades: 3, rotation: 90), level: -20)
    let left = turned.keys.map(\.y).min() ?? 0
    let right = turned.keys.map(\.y).max() ?? 0
    #expect(-left > right + 3)
  }
}
