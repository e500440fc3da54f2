import DepthBase
import Testing

@testable import DepthEvaluation

/// Scenes whose boundary F1 can be computed by hand.
@Suite struct BoundaryF1Tests {
  private static let supported = InstructionSet.supported

  /// A wall at `far` metres with a panel at 1 metre, which begins at column `left`.
  private func panel(left: Int, far: Float = 2, width: Int = 9) -> [Float] {
    (0..<5 * width).map { $0 % width >= left ? 1 : far }
  }

  private func f1(
    _ prediction: [Float], _ truth: [Float], width: Int = 9, isa: InstructionSet = .current
  ) -> Double {
    DepthComparison(
      prediction.map(Double.init), truth: truth, width: width,
      in: DepthRegion(rows: 0..<truth.count / width, columns: 0..<width), isa: isa
    ).boundaries.f1
  }

  @Test(
    "a map with edges in one of four directions has F1 0.25", arguments: supported)
  func edgesInOneDirectionCountAQuarter(isa: InstructionSet) {
    // Three directions have no edges, and count as 0 in the published average.
    #expect(abs(f1(panel(left: 4), panel(left: 4), isa: isa) - 0.25) < 1e-12)
  }

  @Test("a map with edges in all four directions has F1 1", arguments: supported)
  func edgesInAllDirectionsReachOne(isa: InstructionSet) {
    let spot = (0..<25).map { Float($0 == 12 ? 1 : 2) }
    #expect(abs(f1(spot, spot, width: 5, isa: isa) - 1) < 1e-12)
    #expect(abs(f1(spot.map { $0 * 7 }, spot, width: 5, isa: isa) - 1) < 1e-12)
  }

  @Test("an edge that is one pixel off scores 0") func anEdgeOnePixelOffScoresZero() {
    #expect(f1(panel(left: 4), panel(left: 5)) == 0)
  }

  @Test("an edge of ratio 1.1 is found only at lower thresholds")
  func edgesBelowTheThresholdAreSeenByTheLowOnesOnly() {
    let thresholds = BoundaryCounts.thresholds
    let seen = thresholds.filter { $0 < 1.1 }.reduce(0, +) / thresholds.reduce(0, +)
    let map = panel(left: 4, far: 1.1)
    #expect(abs(f1(map, map) - seen / 4) < 1e-12)
  }

  @Test("a pixel without truth makes no edges") func pixelsWithoutTruthMakeNoEdges() {
    var holed = panel(left: 4)
    holed[2 * 9 + 2] = 0
    #expect(abs(f1(panel(left: 4), holed) - 0.25) < 1e-12)
  }

  @Test("an area of one pixel has no edges") func anAreaOfOnePixelHasNoEdges() {
    #expect(f1([1], [1], width: 1) == 0)
  }

  @Test("pixels outside a region do not affect F1", arguments: supported, [1, 3, 8, 17, 33])
  func aRegionIgnoresItsSurroundings(isa: InstructionSet, width: Int) {
    let inner = (0..<4 * width).map { Float($0 * 7 % 5 + 1) }
    var outer = [Float](repeating: 50, count: 6 * (width + 4))
    for i in inner.indices { outer[(i / width + 1) * (width + 4) + i % width + 2] = inner[i] }
    let alone = DepthComparison(
      inner.map(Double.init), truth: inner, width: width,
      in: DepthRegion(rows: 0..<4, columns: 0..<width), isa: isa)
    let within = DepthComparison(
      outer.map(Double.init), truth: outer, width: width + 4,
      in: DepthRegion(rows: 1..<5, columns: 2..<width + 2), isa: isa)
    #expect(alone.boundaries == within.boundaries)
    #expect(alone.boundaries.wanted.max() ?? 0 > 0)
    #expect(alone.sums == within.sums && alone.sums.count == 4 * width)
  }
}
