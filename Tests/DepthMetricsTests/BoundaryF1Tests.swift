import DepthMetrics
import Tensors
import Testing

/// A wall `far` metres away with a panel at 1 metre from column `left` on.
private func panel(left: Int, far: Float = 2, width: Int = 9) -> DepthMap {
  DepthMap(
    height: 5, width: width, kind: .metres,
    values: (0..<5 * width).map { $0 % width >= left ? 1 : far })
}

@Test func aMapMatchesItselfWhereverOneOfFourDirectionsHasEdges() {
  // Three directions have no edges and count 0 in the published average: ¼ · ¼ each way.
  #expect(abs(panel(left: 4).boundaryF1(against: panel(left: 4)) - 0.25) < 1e-12)
}

@Test func aCornerSceneInAllFourDirectionsReachesOne() {
  let spot = DepthMap(
    height: 5, width: 5, kind: .metres, values: (0..<25).map { $0 == 12 ? 1 : 2 })
  #expect(abs(spot.boundaryF1(against: spot) - 1) < 1e-12)
  let scaled = DepthMap(height: 5, width: 5, kind: .metres, values: spot.values.map { $0 * 7 })
  #expect(abs(scaled.boundaryF1(against: spot) - 1) < 1e-12)
  #expect(abs(spot.inDisparity.boundaryF1(against: spot) - 1) < 1e-12)
}

@Test func anEdgeOnePixelOffCountsNothing() {
  #expect(panel(left: 4).boundaryF1(against: panel(left: 5)) == 0)
}

@Test func edgesBelowTheThresholdAreSeenByTheLowOnesOnly() {
  let thresholds = (0..<10).map { 1.05 + 0.2 * Double($0) / 9 }
  let seen = thresholds.filter { $0 < 1.1 }.reduce(0, +) / thresholds.reduce(0, +)
  let map = panel(left: 4, far: 1.1)
  #expect(abs(map.boundaryF1(against: map) - seen / 4) < 1e-12)
}

@Test func pixelsWithoutValueMakeNoEdges() {
  var values = panel(left: 4).values
  values[2 * 9 + 2] = 0
  let holed = DepthMap(height: 5, width: 9, kind: .metres, values: values)
  #expect(abs(holed.boundaryF1(against: panel(left: 4)) - 0.25) < 1e-12)
}

@Test func anAreaOfOnePixelHasNoEdges() {
  let pixel = DepthMap(height: 1, width: 1, kind: .metres, values: [1])
  #expect(pixel.boundaryF1(against: pixel) == 0)
}
