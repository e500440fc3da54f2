import DepthBase
import DepthImages
import DepthRefinement
import Testing
import _TestSupport

@Suite struct JointUpsamplingTests {
  static let sizes: [(map: (Int, Int), photo: (Int, Int))] = [
    ((5, 6), (33, 47)), ((4, 4), (4, 4)), ((1, 1), (1, 1)), ((1, 1), (9, 17)), ((1, 7), (5, 7)),
    ((3, 1), (31, 1)), ((16, 20), (17, 23)), ((6, 5), (61, 203)),
  ]

  static func window(_ taps: Int) -> @Sendable (Double) -> Double {
    { distance in
      let t = abs(distance)
      if taps == 2 { return max(0, 1 - t) }
      if t < 1 { return (4 - 6 * t * t + 3 * t * t * t) / 6 }
      return t < 2 ? (2 - t) * (2 - t) * (2 - t) / 6 : 0
    }
  }

  @Test(
    "joint upsampling equals the formula on every instruction set",
    arguments: InstructionSet.supported, UpsamplingWindow.allCases)
  func followsTheFormula(isa: InstructionSet, window: UpsamplingWindow) {
    for (map, photo) in Self.sizes {
      let count = map.0 * map.1
      let values = MadeUpPictures.values(count).map { 0.2 + $0 }
      let weights = MadeUpPictures.values(count, seed: 11).map { 0.05 + $0 }
      let guide = MadeUpPictures.photo(height: map.0, width: map.1, seed: 4)
      let fine = MadeUpPictures.photo(height: photo.0, width: photo.1, seed: 9)
      func plane(_ values: [Float]) -> JointFilterReference.Plane {
        .init(height: map.0, width: map.1, values: values.map(Double.init))
      }
      let expected = JointFilterReference.upsampling(
        plane(values), weights: plane(weights), guide: guide, photo: fine, taps: window.rawValue,
        sigmaRange: 0.05, window: Self.window(window.rawValue))
      for reciprocal in [false, true] {
        let result = jointUpsampled(
          WeightedMap(height: map.0, width: map.1, values: values, weights: weights), guide: guide,
          photo: fine, window: window, sigmaRange: 0.05, reciprocal: reciprocal, missing: 0,
          isa: isa, threads: 2)
        for i in expected.indices {
          let wanted = reciprocal ? 1 / expected[i] : expected[i]
          // An exponent of −100 loses digits of the range weight: 100 · 2⁻²⁴ · ln 2.
          #expect(abs(Double(result[i]) - wanted) < 3e-5 * wanted, "\(map) to \(photo), pixel \(i)")
        }
      }
    }
  }

  /// 11 × 13 pixels with a slope too gentle for an edge, and a nearer square in the middle. Vectors
  /// of a row have no edges, only edges, or both.
  static let stepOnASlope = WeightedMap(
    height: 13, width: 11,
    values: (0..<143).map { i in
      let (y, x) = (i / 11, i % 11)
      return (4...8).contains(y) && (5...7).contains(x) ? 2 : 1 + Float(x) / 128
    },
    weights: [Float](repeating: 0.5, count: 143))

  @Test(
    "joint upsampling has equal bits on all instruction sets",
    arguments: UpsamplingWindow.allCases, [true, false])
  func sameBitsOnEveryInstructionSetAndForAnyNumberOfThreads(
    window: UpsamplingWindow, isRough: Bool
  ) {
    let rough = WeightedMap(
      height: 13, width: 11, values: MadeUpPictures.values(143),
      weights: MadeUpPictures.values(143, seed: 5))
    let guide = MadeUpPictures.photo(height: 13, width: 11)
    for (height, width) in [(107, 77), (13, 11), (150, 611), (14, 16), (29, 401)] {
      let photo = MadeUpPictures.photo(height: height, width: width)
      func carried(_ isa: InstructionSet, _ threads: Int) -> [Float] {
        jointUpsampled(
          isRough ? rough : Self.stepOnASlope, guide: guide, photo: photo, window: window,
          sigmaRange: 0.03, reciprocal: true, missing: 0, isa: isa, threads: threads)
      }
      let first = carried(.baseline, 1)
      for isa in InstructionSet.supported {
        for threads in [1, 2, 3, 4] {
          #expect(carried(isa, threads) == first, "\(isa), \(threads), \(width)×\(height)")
        }
      }
    }
  }

  @Test("joint upsampling uses colors only at depth edges", arguments: InstructionSet.supported)
  func onlyWindowsWithAnEdgeUseColors(isa: InstructionSet) {
    let map = Self.stepOnASlope
    let guide = MadeUpPictures.photo(height: 13, width: 11)
    func carried(seed: UInt64) -> [Float] {
      jointUpsampled(
        map, guide: guide, photo: MadeUpPictures.photo(height: 131, width: 223, seed: seed),
        window: .linear, sigmaRange: 0.05, reciprocal: false, missing: 0, isa: isa, threads: 2)
    }
    let (one, other) = (carried(seed: 9), carried(seed: 10))
    let linear = JointFilterReference.Plane(
      height: 13, width: 11, values: map.values.map(Double.init)
    )
    .stretched(height: 131, width: 223)
    func window(_ i: Int, _ count: Int, _ length: Int) -> ClosedRange<Int> {
      let first = Int(((Double(i) + 0.5) * Double(length) / Double(count) - 0.5).rounded(.down))
      return max(first, 0)...min(first + 1, length - 1)
    }
    var differing = 0
    for y in 0..<131 {
      for x in 0..<223 {
        let pixel = y * 223 + x
        let values = window(y, 131, 13).flatMap { j in
          window(x, 223, 11).map { map.values[j * 11 + $0] }
        }
        let isFlat = values.allSatisfy { $0 < 1.5 } || values.allSatisfy { $0 > 1.5 }
        if isFlat {
          #expect(one[pixel] == other[pixel], "pixel \(x), \(y)")
          #expect(abs(Double(one[pixel]) - linear.values[pixel]) < 1e-6, "pixel \(x), \(y)")
        } else if one[pixel] != other[pixel] {
          differing += 1
        }
      }
    }
    #expect(differing > 1000)
  }

  @Test("joint upsampling prefers the nearest color if none is close") func theNearestColorWins() {
    // A white pixel is between dark gray at 1 and darker gray at 2. Both are far for this sigma.
    let guide = Image(height: 1, width: 2, pixels: [60, 60, 60, 20, 20, 20])
    let photo = Image(
      height: 1, width: 5, pixels: [60, 60, 60, 60, 60, 60, 255, 255, 255, 20, 20, 20, 20, 20, 20])
    let result = jointUpsampled(
      WeightedMap(height: 1, width: 2, values: [1, 2], weights: [1, 1]), guide: guide, photo: photo,
      window: .linear, sigmaRange: 0.03, reciprocal: false, missing: 0, threads: 1)
    #expect(result.allSatisfy { $0.isFinite })
    #expect(abs(result[2] - 1) < 0.05)
    #expect(abs(result[1] - 1) < 1e-3 && abs(result[3] - 2) < 1e-3)
  }
}
