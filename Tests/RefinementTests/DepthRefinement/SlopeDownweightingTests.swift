import DepthBase
import Testing
import _TestSupport

@testable import DepthRefinement

@Suite struct SlopeDownweightingTests {
  @Test(
    "slope weights equal the reference on all instruction sets",
    arguments: [(1, 1), (1, 9), (7, 1), (2, 2), (5, 17), (9, 40)], [false, true])
  func equalsTheReadableTwin(size: (height: Int, width: Int), hasMissing: Bool) {
    let count = size.height * size.width
    let values = MadeUpPictures.values(count).enumerated().map {
      1 + Float($0 % 5) * 0.3 + $1 * 0.2
    }
    let shares = MadeUpPictures.values(count, seed: 3)
    let weights = shares.map { hasMissing && $0 < 0.2 ? 0 : 0.5 + $0 }
    let known = zip(values, weights).map { $1 == 0 ? Float.nan : $0 }
    let map = WeightedMap(height: size.height, width: size.width, values: known, weights: weights)
    for relative in [false, true] {
      func lowered(_ isa: InstructionSet, threads: Int) -> [Float] {
        map.downweightingSlopes(0.07, relative: relative, isa: isa, threads: threads).weights
      }
      let first = lowered(.baseline, threads: 1)
      expectClose(
        first,
        referenceSlopeWeights(
          known, weights, height: size.height, width: size.width, tolerance: 0.07,
          relative: relative), absolute: 1e-7, relative: 1e-5)
      for isa in InstructionSet.supported { #expect(lowered(isa, threads: 2) == first) }
    }
  }
}
