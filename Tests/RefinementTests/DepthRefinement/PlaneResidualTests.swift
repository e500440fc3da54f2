import DepthBase
import Testing
import _TestSupport

@testable import DepthRefinement

/// `planeResiduals` by a solution for the plane of each window in `Double`.
private func reference(_ map: WeightedMap, radius: Int, spacing: Int) -> [Double] {
  func value(_ y: Int, _ x: Int) -> Double? {
    guard (0..<map.height).contains(y), (0..<map.width).contains(x),
      map.weights[y * map.width + x] > 0
    else { return nil }
    return Double(map.values[y * map.width + x])
  }
  return (0..<map.height * map.width).map { pixel in
    let (y, x) = (pixel / map.width, pixel % map.width)
    guard let here = value(y, x) else { return 0 }
    var samples: [(x: Double, y: Double, value: Double)] = []
    for j in -radius...radius {
      for i in -radius...radius {
        let opposite = value(y - j * spacing, x - i * spacing).map { 2 * here - $0 }
        let sample = value(y + j * spacing, x + i * spacing) ?? opposite ?? here
        samples.append((Double(i), Double(j), sample))
      }
    }
    let count = Double(samples.count)
    let mean = samples.reduce(0) { $0 + $1.value } / count
    let square = samples.reduce(0) { $0 + $1.x * $1.x }
    let across = samples.reduce(0) { $0 + $1.x * $1.value } / square
    let down = samples.reduce(0) { $0 + $1.y * $1.value } / square
    let left = samples.reduce(0) { sum, s in
      let difference = s.value - mean - across * s.x - down * s.y
      return sum + difference * difference
    }
    return (left / count).squareRoot()
  }
}

@Suite struct PlaneResidualTests {
  private static let sizes = [(1, 1), (1, 9), (7, 1), (5, 6), (17, 31), (40, 23)]

  @Test("plane residuals equal the formula", arguments: sizes, [(1, 1), (2, 2), (4, 1)])
  func followsTheFormula(size: (Int, Int), window: (Int, Int)) {
    let (height, width) = size
    var weights = [Float](repeating: 1, count: height * width)
    for i in stride(from: 3, to: weights.count, by: 7) { weights[i] = 0 }
    let map = WeightedMap(
      height: height, width: width, values: MadeUpPictures.values(height * width),
      weights: weights)
    let expected = reference(map, radius: window.0, spacing: window.1)
    for threads in [1, 2, 5] {
      let found = planeResiduals(map, radius: window.0, spacing: window.1, threads: threads)
      #expect(zip(found, expected).allSatisfy { abs(Double($0) - $1) < 2e-4 })
    }
  }

  @Test("a plane has no residual even at borders and beside holes")
  func aPlaneLeavesNothingEvenAtTheBorderAndBesideHoles() {
    let (height, width) = (20, 30)
    var weights = [Float](repeating: 1, count: height * width)
    weights[10 * width + 12] = 0
    let map = WeightedMap(
      height: height, width: width,
      values: (0..<height * width).map { 2 + Float($0 % width) / 32 + Float($0 / width) / 64 },
      weights: weights)
    let found = planeResiduals(map, radius: 2, spacing: 2, threads: 2)
    // Corner pixels have no opposite neighbors.
    for i in found.indices {
      let (y, x) = (i / width, i % width)
      guard min(y, height - 1 - y) >= 4 || min(x, width - 1 - x) >= 4 else { continue }
      #expect(found[i] < 1e-3)
    }
  }

  @Test("a step leaves a residual of a quarter of its height") func aStepLeavesAQuarterOfItself() {
    let map = WeightedMap(
      height: 21, width: 21, values: (0..<441).map { $0 % 21 < 10 ? 1 : 1.4 },
      weights: .init(repeating: 1, count: 441))
    let found = planeResiduals(map, radius: 4, spacing: 1, threads: 1)
    #expect(abs(found[10 * 21 + 10] - 0.1) < 0.01)
  }
}

@Suite struct FilteredBlocksTests {
  /// The open pixel may be anywhere in the block.
  @Test("one open pixel opens its block", arguments: 0..<8)
  func everyOpenPixelOpensItsBlock(pixel: Int) {
    let open = (0..<8).map { Float($0 == pixel ? 1 : 0) }
    let blocks = FilteredBlocks(height: 1, width: 32, over: open, coarseHeight: 1, coarseWidth: 8)
    #expect(blocks.isFiltered == [pixel < 4, pixel >= 4])
  }

  @Test("only open blocks are filtered") func filteredBlocksAreAsWithoutAndOthersAreStretched() {
    let photo = MadeUpPictures.photo(height: 30, width: 75)
    let map = WeightedMap(
      height: 10, width: 25, values: MadeUpPictures.values(250),
      weights: .init(repeating: 1, count: 250))
    let open = (0..<250).map { Float($0 % 25 < 12 && $0 / 25 > 4 ? 1 : 0) }
    let blocks = FilteredBlocks(
      height: 30, width: 75, over: open, coarseHeight: 10, coarseWidth: 25)
    func filtered(radius: Int, _ blocks: FilteredBlocks?, _ isa: InstructionSet) -> [Float] {
      jointBilateral(
        map, guide: photo, radius: radius, sigmaSpatial: 2, sigmaRange: 0.1, missing: 0,
        blocks: blocks, isa: isa, threads: 2)
    }
    for isa in InstructionSet.supported {
      let (all, none) = (filtered(radius: 5, nil, isa), filtered(radius: 0, nil, isa))
      let some = filtered(radius: 5, blocks, isa)
      for i in some.indices {
        // Pixels are open in columns 0…35 from row 15 on, so the blocks of 16 cover columns 0…47.
        let isFiltered = i % 75 < 48 && i / 75 >= 15
        #expect(some[i] == (isFiltered ? all[i] : none[i]))
      }
    }
  }
}

@Suite struct JointMixingTests {
  @Test("mixing equals its formula on every instruction set", arguments: InstructionSet.supported)
  func mixesByTheStretchedShare(isa: InstructionSet) {
    let smooth = WeightedMap(height: 1, width: 2, values: [2, 4], weights: [1, 1])
    let shares = WeightedMap(height: 1, width: 2, values: [0, 1], weights: [1, 1])
    func mixed(_ finish: MixedNumber) -> [Float] {
      var joint: [Float] = [8, 8, .nan, 8]
      blend(
        &joint, height: 1, width: 4, with: smooth, shares: shares,
        range: LevelRange(of: smooth, within: 0, relative: true, threads: 1), finish: finish,
        isa: isa, threads: 2)
      return joint
    }
    // The stretched values are 2, 2.5, 3.5 and 4, the stretched shares 0, ¼, ¾ and 1.
    let same = mixed(.same)
    #expect(same[0] == 2 && same[1] == 2.5 + 0.25 * 5.5 && same[2].isNaN && same[3] == 8)
    #expect(mixed(.value(missing: -1)) == [2, 3.875, -1, 8])
    #expect(mixed(.reciprocal(missing: 0)) == [0.5, 1 / 3.875, 0, 0.125])
  }
}
