import DepthImages
import Testing

@testable import MonocularDepth

/// Expected errors without the dots of up-projections.
@Suite struct LatticeTests {
  private let height = 21
  private let width = 30

  private func map(_ value: (_ y: Int, _ x: Int) -> Float) -> ErrorMap {
    ErrorMap(
      height: height, width: width,
      values: (0..<height * width).map { value($0 / width, $0 % width) })
  }

  /// Values without a period that the filter could keep or remove.
  private var rough: ErrorMap { map { y, x in 0.1 + Float((y * 7 + x * 13 + y * x) % 17) / 20 } }

  /// Periods of 2 and 4 map pixels are 8 and 16 pixels of a photo of 640 × 480.
  @Test("dots with a period of 2 or 4 pixels vanish from expected errors", arguments: [2, 4])
  func dotsVanish(period: Int) {
    let dots = map { y, x in y % period == 1 && x % period == 1 ? 0.3 : 0.2 }
    let smooth = dots.withoutLattice()
    let mean = 0.2 + 0.1 / Double(period * period)
    for y in 2..<height - 2 {
      for x in 2..<width - 2 {
        #expect(abs(Double(smooth.values[y * width + x]) - mean) < 1e-6)
      }
    }
  }

  @Test("a step of errors is blurred by at most 2 pixels") func stepStaysWithinOnePeriod() {
    let step = map { _, x in x < 15 ? 0.1 : 0.5 }
    let smooth = step.withoutLattice()
    for (i, value) in smooth.values.enumerated() {
      switch i % width {
      case ..<13: #expect(value == 0.1)
      case 17...: #expect(value == 0.5)
      default: #expect(0.1 < value && value < 0.5)
      }
    }
    // Both sides change by equal amounts, so the step does not move.
    #expect(abs(smooth.values[14] + smooth.values[15] - 0.6) < 1e-6)
  }

  @Test("a constant error map is unchanged", arguments: [(1, 1), (1, 9), (3, 2), (21, 30)])
  func constantKeepsItsBits(height: Int, width: Int) {
    for value: Float in [0.1, 1 / 3, 2.7] {
      let level = ErrorMap(
        height: height, width: width, values: Array(repeating: value, count: height * width))
      #expect(level.withoutLattice() == level)
    }
  }

  /// Each pixel becomes the weighted mean of the neighbors inside the map, at most 25.
  @Test("the filter of expected errors equals its formula") func equalsItsFormula() {
    let weights = [-2: 1.0, -1: 2, 0: 2, 1: 2, 2: 1]
    let rough = rough
    let smooth = rough.withoutLattice()
    for y in 0..<height {
      for x in 0..<width {
        var (sum, total) = (0.0, 0.0)
        for (dy, a) in weights where (0..<height).contains(y + dy) {
          for (dx, b) in weights where (0..<width).contains(x + dx) {
            sum += a * b * Double(rough.values[(y + dy) * width + x + dx])
            total += a * b
          }
        }
        #expect(abs(Double(smooth.values[y * width + x]) - sum / total) < 1e-7)
      }
    }
    #expect(rough.mirrored.withoutLattice() == smooth.mirrored)
  }

  @Test("a missing error stays missing and affects no neighbor")
  func missingNumbersStayWhereTheyAre() {
    let hole = 10 * width + 12
    var values = [Float](repeating: 0.3, count: height * width)
    values[hole] = .nan
    let smooth = ErrorMap(height: height, width: width, values: values).withoutLattice()
    #expect(smooth.values[hole].isNaN)
    #expect(smooth.values.indices.allSatisfy { $0 == hole || smooth.values[$0] == 0.3 })
  }
}
