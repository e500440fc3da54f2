import DepthBase
import Testing
import _TestSupport

/// Rows of shifts in 1/64 pixel. Together, the rows use every branch of the warp.
enum ShiftRow: String, CaseIterable {
  case still, slope, steepSlope, steps, pole, noise, torn

  func values(_ count: Int) -> [Int32] {
    var state: UInt64 = 0x9E37_79B9_7F4A_7C15
    func random(_ bound: Int32) -> Int32 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int32(truncatingIfNeeded: state >> 40) % bound
    }
    return (0..<count).map { x in
      switch self {
      case .still: 37
      case .slope: Int32(x) * 3 - 100
      case .steepSlope: 900 - Int32(x) * 40
      case .steps: Int32(x / 11 % 3) * 217
      case .pole: x % 40 >= 20 && x % 40 < 23 ? 700 : -130
      case .noise: random(9) - 4
      case .torn: random(1400) - 700
      }
    }
  }
}

@Suite struct WarpedSourcesTests {
  static let sizes = [1, 2, 7, 8, 9, 10, 16, 17, 31, 100, 333]

  @Test("warped sources equal the definition everywhere", arguments: ShiftRow.allCases, sizes)
  func agreesWithTheDefinitionOnEveryInstructionSet(_ row: ShiftRow, _ size: Int) {
    let shift = row.values(size)
    let reference = ReferenceWarp.sources(shift: shift.map { Double($0) / 64 }, stretch: 2)
    for isa in InstructionSet.supported {
      let sources = warpedSources(shift: shift, isa: isa)
      for (target, (found, expected)) in zip(sources, reference).enumerated() {
        guard let expected else {
          #expect(found == -1, "\(isa): target \(target) of \(size)")
          continue
        }
        // Positions are rounded to 1/64 pixel.
        #expect(
          abs(Double(found) / 64 - expected) <= 0.51 / 64,
          "\(isa): target \(target) of \(size) shows \(Double(found) / 64), not \(expected)")
      }
    }
  }

  @Test("a gap inside a near surface does not show the wall behind")
  func gapInsideANearSurfaceDoesNotShowTheWallBehind() {
    // Two halves of a surface separate by 6 pixels, and the wall on the right moves under the gap.
    let shift: [Int32] =
      Array(repeating: 64 * 20, count: 10) + Array(repeating: 64 * 26, count: 4)
      + Array(repeating: 0, count: 40)
    let sources = warpedSources(shift: shift)
    #expect(sources[30..<36].allSatisfy { $0 == -1 })
    // The wall is visible beyond the surface.
    #expect(sources[41] == 41 * 64)
  }

  @Test("the wall between a pole and its old place stays visible")
  func wallBetweenAPoleAndItsOldPlaceStaysVisible() {
    let shift: [Int32] =
      Array(repeating: 0, count: 10) + [640, 640] + Array(repeating: 0, count: 20)
    let sources = warpedSources(shift: shift)
    #expect(sources[10..<12].allSatisfy { $0 == -1 })
    #expect(sources[12] == 12 * 64 && sources[19] == 19 * 64)
    #expect(sources[20] == 10 * 64 && sources[21] == 11 * 64)
  }
}
