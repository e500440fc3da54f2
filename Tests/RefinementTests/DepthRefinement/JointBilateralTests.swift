import DepthBase
import DepthRefinement
import Testing
import _TestSupport

/// A coarse map, the guide to whose size the map is stretched, and a window.
struct FilterGeometry: CustomTestStringConvertible, Sendable {
  let map, guide: (height: Int, width: Int)
  let radius: Int

  var testDescription: String {
    "\(map.width)×\(map.height) to \(guide.width)×\(guide.height), radius \(radius)"
  }

  static let all = [
    FilterGeometry(map: (5, 6), guide: (33, 47), radius: 12),
    FilterGeometry(map: (8, 9), guide: (17, 31), radius: 3),
    FilterGeometry(map: (9, 11), guide: (9, 11), radius: 4),
    FilterGeometry(map: (1, 1), guide: (1, 1), radius: 12),
    FilterGeometry(map: (1, 4), guide: (1, 19), radius: 2),
    FilterGeometry(map: (3, 1), guide: (21, 1), radius: 40),
    FilterGeometry(map: (2, 2), guide: (7, 5), radius: 100),
    FilterGeometry(map: (4, 5), guide: (20, 16), radius: 0),
  ]
}

@Suite struct JointBilateralTests {
  @Test(
    "joint bilateral filter equals the formula on every instruction set",
    arguments: InstructionSet.supported, FilterGeometry.all)
  func followsTheFormula(isa: InstructionSet, geometry: FilterGeometry) {
    let (map, guide) = (geometry.map, geometry.guide)
    let values = MadeUpPictures.values(map.height * map.width)
    var weights = MadeUpPictures.values(map.height * map.width, seed: 3).map { 0.1 + $0 }
    if weights.count > 8 { weights[4] = 0 }
    let photo = MadeUpPictures.photo(height: guide.height, width: guide.width)
    let result = jointBilateral(
      WeightedMap(height: map.height, width: map.width, values: values, weights: weights),
      guide: photo, radius: geometry.radius, sigmaSpatial: 20, sigmaRange: 0.05, missing: -1,
      isa: isa, threads: 2)

    func plane(_ values: [Double]) -> JointFilterReference.Plane {
      .init(height: map.height, width: map.width, values: values)
    }
    func masked(_ plane: JointFilterReference.Plane) -> JointFilterReference.Plane {
      let fine = plane.stretched(height: guide.height, width: guide.width)
      return .init(
        height: guide.height, width: guide.width,
        values: fine.values.enumerated().map { isMissing($0.offset) ? 0 : $0.element })
    }
    func isMissing(_ i: Int) -> Bool {
      let row = (2 * (i / guide.width) + 1) * map.height / (2 * guide.height)
      let column = (2 * (i % guide.width) + 1) * map.width / (2 * guide.width)
      return weights[row * map.width + column] == 0
    }
    let expected = JointFilterReference.bilateral(
      products: masked(plane(zip(values, weights).map { Double($0) * Double($1) })),
      weights: masked(plane(weights.map(Double.init))), guide: photo, radius: geometry.radius,
      sigmaSpatial: 20, sigmaRange: 0.05)
    for i in expected.indices {
      let wanted = isMissing(i) ? -1 : expected[i]
      #expect(abs(Double(result[i]) - wanted) < 1e-5, "pixel \(i)")
    }
  }

  @Test("the joint bilateral filter has equal bits on all instruction sets")
  func sameBitsOnEveryInstructionSetAndForAnyNumberOfThreads() {
    let map = WeightedMap(
      height: 13, width: 11, values: MadeUpPictures.values(143),
      weights: MadeUpPictures.values(143, seed: 5))
    let photo = MadeUpPictures.photo(height: 67, width: 45)
    func filtered(_ isa: InstructionSet, _ threads: Int) -> [Float] {
      jointBilateral(
        map, guide: photo, radius: 5, sigmaSpatial: 3, sigmaRange: 0.1, missing: 0, isa: isa,
        threads: threads)
    }
    let first = filtered(.baseline, 1)
    for isa in InstructionSet.supported {
      for threads in [1, 2, 4] { #expect(filtered(isa, threads) == first, "\(isa), \(threads)") }
    }
  }

  @Test("joint bilateral filter keeps a constant map constant across tiles")
  func windowsWiderThanATileAgreeAcrossItsBorder() {
    // A tile has 512 columns, so the photo has two seams.
    let photo = MadeUpPictures.photo(height: 3, width: 1100)
    let map = WeightedMap(height: 1, width: 2, values: [0.5, 0.5], weights: [1, 1])
    let result = jointBilateral(
      map, guide: photo, radius: 6, sigmaSpatial: 4, sigmaRange: 0.05, missing: 0, threads: 2)
    #expect(result.allSatisfy { abs($0 - 0.5) < 1e-6 })
  }
}
