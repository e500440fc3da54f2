import DepthBase
import DepthImages
import Testing

@testable import DepthRefinement

/// Measures of an edge in a soft map: agreement with the photo, and coherence.
@Suite struct EdgeAgreementTests {
  private static let (height, width) = (24, 32)

  private static func map(_ value: (_ y: Int, _ x: Int) -> Float) -> WeightedMap {
    WeightedMap(
      height: height, width: width,
      values: (0..<height * width).map { value($0 / width, $0 % width) },
      weights: .init(repeating: 1, count: height * width))
  }

  private static func photo(_ level: (_ y: Int, _ x: Int) -> UInt8) -> Image {
    Image(
      height: height, width: width,
      pixels: (0..<height * width * 3).map { level($0 / 3 / width, $0 / 3 % width) })
  }

  @Test("edge agreement is the product of gradients") func agreementIsTheProductOfBothGradients() {
    let map = Self.map { _, x in 1 + 0.02 * Float(x) }
    let photo = Self.photo { _, x in UInt8(5 * x) }
    let agreement = map.edgeAgreement(with: photo, relative: false)
    // Three equal channels give √3 · 0.02 · 5/255.
    let expected = Float(3).squareRoot() * 0.02 * 5 / 255
    #expect(agreement.allSatisfy { abs($0 - expected) < 1e-6 })
    let shares = map.edgeAgreement(with: photo, relative: true)
    #expect(abs(shares[5 * Self.width + 10] - expected / 1.2) < 1e-6)
  }

  /// At the border, gradients span one pixel instead of two.
  @Test("edge agreement at the border equals the middle") func theBorderAgreesAsTheMiddleDoes() {
    let down = Self.map { y, _ in 1 + 0.02 * Float(y) }
      .edgeAgreement(with: Self.photo { y, _ in UInt8(5 * y) }, relative: false)
    let expected = Float(3).squareRoot() * 0.02 * 5 / 255
    #expect(down.allSatisfy { abs($0 - expected) < 1e-6 })
  }

  @Test("stripes across a depth edge give no agreement") func stripesAcrossADepthEdgeDoNotAgree() {
    let map = Self.map { _, x in x < 16 ? 1 : 2 }
    let along = map.edgeAgreement(
      with: Self.photo { _, x in x < 16 ? 40 : 200 }, relative: false)
    let across = map.edgeAgreement(
      with: Self.photo { y, _ in y / 3 % 2 == 0 ? 40 : 200 }, relative: false)
    // The map changes by half a unit, the photo by 160 levels over two pixels, in three channels.
    #expect(abs((along.max() ?? 0) - Float(3).squareRoot() * 0.5 * 160 / 510) < 1e-5)
    #expect(across.max() == 0)
  }

  @Test("edge agreement is 0 at missing pixels and their neighbors")
  func nothingAgreesBesideAMissingPixel() {
    let full = Self.map { _, x in Float(x + 1) }
    var weights = full.weights
    weights[8 * Self.width + 8] = 0
    let agreement = full.with(weights: weights).edgeAgreement(
      with: Self.photo { _, x in UInt8(7 * x) }, relative: true)
    for (y, x) in [(8, 8), (7, 8), (9, 8), (8, 7), (8, 9)] {
      #expect(agreement[y * Self.width + x] == 0)
    }
    #expect(agreement[7 * Self.width + 7] > 0)
  }

  @Test("a straight edge is coherent, and a pattern is not")
  func aStraightEdgeIsCoherentAndAPatternIsNot() {
    let middle = 12 * Self.width + 15
    let edge = Self.map { _, x in x < 16 ? 1 : 2 }.edgeCoherence(threads: 1)
    let pattern = Self.map { y, x in (x / 2 + y / 2) % 2 == 0 ? 1 : 2 }.edgeCoherence(threads: 1)
    #expect(edge[middle] > 1.1)
    #expect(pattern[middle] < 0.3)
    #expect(Self.map { _, _ in 3 }.edgeCoherence(threads: 1).allSatisfy { $0 == 0 })
  }

  @Test("edge measures are equal on any number of threads") func edgesDoNotDependOnThreads() {
    let full = Self.map { y, x in 1 + Float((7 * y + 5 * x) % 13) / 8 }
    let map = full.with(weights: full.weights.indices.map { $0 % 29 == 3 ? 0 : 1 })
    let photo = Self.photo { y, x in UInt8((11 * y + 17 * x) % 251) }
    for relative in [false, true] {
      let agreement = map.edgeAgreement(with: photo, relative: relative)
      let width = map.edgeWidth(relative: relative)
      for threads in [2, 5] {
        #expect(
          map.edgeAgreement(with: photo, relative: relative, threads: threads) == agreement)
        #expect(map.edgeWidth(relative: relative, threads: threads) == width)
      }
    }
    let coherence = map.edgeCoherence(threads: 1)
    for threads in [2, 5] { #expect(map.edgeCoherence(threads: threads) == coherence) }
  }

  @Test("extrema ignore missing pixels") func extremaLeaveOutPixelsWithoutAValue() {
    let full = Self.map { y, x in Float(y * Self.width + x) }
    var weights = full.weights
    weights[0] = 0
    let (lowest, highest) = full.with(weights: weights).extrema(within: 1, threads: 2)
    #expect(lowest.values[Self.width + 1] == 1)
    #expect(highest.values[Self.width + 1] == Float(2 * Self.width + 2))
    #expect(lowest.values[5 * Self.width + 5] == Float(4 * Self.width + 4))
  }

  /// The definition in 64 bits, which moves `value` between two levels to the nearer level.
  private static func steepened(
    _ value: Double, low: Double, high: Double, relative: Bool
  ) -> Double {
    func fourth(_ x: Double) -> Double { x * x * x * x }
    let (low, high) = (min(low, value), max(high, value))
    let share = (value - low) / max(high - low, 1e-30)
    let steep = low + (high - low) * fourth(share) / (fourth(share) + fourth(1 - share))
    let step = fourth((high - low) / (relative ? high : 1) / 0.13)
    return value + step * step / (1 + step * step) * (steep - value)
  }

  @Test(
    "steepening equals its formula",
    arguments: InstructionSet.supported, [false, true])
  func steepeningMovesNumbersToTheNearerLevel(isa: InstructionSet, relative: Bool) {
    // One edge is steepened. The levels of the other differ by .37 (relative) or 1.15 least steps.
    let coarse = Self.map { _, x in x < 16 ? 1 : x < 24 ? 3 : 3.15 }
    let (height, width) = (Self.height, Self.width)
    var numbers = (0..<height * width).map { _ in Float(2) }
    numbers[15] = 1.5
    numbers[16] = 2.5
    numbers[17] = .nan
    numbers[23] = 3.05
    let before = numbers.map(Double.init)
    let ones = coarse.with([Float](repeating: 1, count: height * width))
    blend(
      &numbers, height: height, width: width, with: coarse, shares: ones,
      range: LevelRange(
        of: coarse.with(weights: ones.values.indices.map { $0 % 2 == 0 ? 1 : 0.25 }), within: 1,
        relative: relative, threads: 2), finish: .same,
      isa: isa, threads: 2)
    for x in 0..<width where x != 17 {
      let nearby = coarse.values[max(x - 1, 0)...min(x + 1, width - 1)].map(Double.init)
      let wanted = Self.steepened(
        before[x], low: nearby.min()!, high: nearby.max()!, relative: relative)
      #expect(abs(Double(numbers[x]) - wanted) < 2e-6, "\(x)")
    }
    #expect(numbers[15] < 1.03 && numbers[16] > 2.97)
    #expect(abs(numbers[width + 15] - 2) < 1e-5)
    #expect(abs(numbers[23] - 3.05) < (relative ? 0.005 : 0.05))
    #expect(numbers[17].isNaN)
  }

  @Test("steepening is stable for levels at both ends of float32", arguments: [false, true])
  func levelsMayBeAsFarApartAsNumbersAre(relative: Bool) {
    let largest = Float.greatestFiniteMagnitude
    let coarse = Self.map { _, x in x < 16 ? -largest : largest }
    var numbers = coarse.values.map { $0 / 4 }
    let before = numbers
    blend(
      &numbers, height: Self.height, width: Self.width, with: coarse.with(before),
      shares: coarse.with([Float](repeating: 1, count: before.count)),
      range: LevelRange(of: coarse, within: 1, relative: relative, threads: 1), finish: .same,
      threads: 1)
    #expect(zip(numbers, before).allSatisfy { abs($0 / $1 - 1) < 1e-5 })
  }
}
