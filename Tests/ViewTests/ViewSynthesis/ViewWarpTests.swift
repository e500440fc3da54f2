import DepthBase
import DepthImages
import Testing
import ViewSynthesis

/// A photo of random blocks, and a depth map of steps, slopes and poles.
struct WarpInput: CustomTestStringConvertible, Sendable {
  var height, width: Int
  var photo: [UInt8]
  var depth: [Float]
  var testDescription: String { "\(width)×\(height)" }

  init(height: Int, width: Int) {
    (self.height, self.width) = (height, width)
    photo = (0..<height * width * 3).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 13) }
    depth = (0..<height * width).map { index in
      let (y, x) = (index / width, index % width)
      if x % 23 == 5 { return 0.9 }
      return x / 17 % 2 == 0 ? 0.2 + Float(y) * 0.001 : 0.5 + Float(x) / Float(4 * width)
    }
  }
}

@Suite struct ViewWarpTests {
  static let inputs = [(1, 1), (3, 2), (2, 7), (5, 33), (37, 129)].map {
    WarpInput(height: $0, width: $1)
  }

  static func plan(filling: StereoOptions.HoleFilling = .blended) -> WarpPlan {
    WarpPlan(
      reciprocal: false, scale: 64 * 24, offset: -64 * 12, limit: 64 * 12, leftShare: 100,
      wideningAcross: 2, wideningDown: 1, filling: filling)
  }

  @Test("views are equal on all instruction sets and threads", arguments: inputs)
  func sameBitsForEveryInstructionSetAndThreadCount(_ input: WarpInput) {
    func views(_ isa: InstructionSet, _ threads: Int) -> [WarpedView] {
      let views = warpedViews(
        of: input.photo, height: input.height, width: input.width, depth: input.depth,
        depthHeight: input.height, depthWidth: input.width, plan: Self.plan(), isa: isa,
        threads: threads)
      return [views.left, views.right]
    }
    let expected = views(.baseline, 1)
    for isa in InstructionSet.supported {
      for threads in [1, 2, 4] {
        #expect(views(isa, threads) == expected, "\(isa), \(threads) threads")
      }
    }
  }

  @Test("a hole takes the wall's color") func holesTakeColorsOfTheWallAndNeverOfThePole() {
    // A red pole, three pixels wide, before a wall of blues and greens.
    let (height, width) = (24, 160)
    var photo: [UInt8] = []
    var depth: [Float] = []
    for y in 0..<height {
      for x in 0..<width {
        let isPole = (80..<83).contains(x)
        photo += isPole ? [250, 10, 10] : [0, UInt8(100 + y * 3), UInt8(150 + x / 4)]
        depth.append(isPole ? 1 : 0)
      }
    }
    var plan = Self.plan()
    (plan.wideningAcross, plan.wideningDown) = (0, 0)
    for filling in [StereoOptions.HoleFilling.blended, .stretched] {
      plan.filling = filling
      let views = warpedViews(
        of: photo, height: height, width: width, depth: depth, depthHeight: height,
        depthWidth: width, plan: plan, threads: 2)
      for view in [views.left, views.right] {
        var holes = 0
        var pole = 0
        for index in 0..<height * width {
          let red = view.pixels[index * 3]
          if view.holes[index] != 0 { holes += 1 }
          if view.holes[index] != 0 { #expect(red == 0, "a hole is red at \(index % width)") }
          if red > 200 { pole += 1 }
        }
        #expect(holes >= height * 3)
        // The pole has a sub-pixel position and keeps its width within half a pixel.
        #expect(pole >= height * 3 && pole <= height * 4)
      }
    }
  }

  @Test("range counts missing values and is nil without values") func rangeCountsMissingValues() {
    let values: [Float] = Array(repeating: 3, count: 40) + [.nan, 0, -1, .infinity, 0.5, 7]
    for isa in InstructionSet.supported {
      #expect(
        valueRange(of: values, positive: true, isa: isa, threads: 2)
          == ValueRange(low: 0.5, high: 7, missing: 4))
      #expect(
        valueRange(of: values, positive: false, isa: isa, threads: 1)
          == ValueRange(low: -1, high: 7, missing: 2))
    }
    #expect(valueRange(of: [.nan, 0], positive: true, threads: 1) == nil)
  }

  @Test("missing depth becomes the farther neighbor's") func missingDepthTakesTheFartherNeighbor() {
    let filled = fillingMissingDepth(
      [0, 0, 0, 2, .nan, 5, 0, 0, 0], height: 3, width: 3, unit: .metres, threads: 2)
    #expect(filled == [2, 5, 5, 2, 5, 5, 2, 5, 5])
    let disparity = fillingMissingDepth(
      [2, .nan, 5, 0], height: 1, width: 4, unit: .disparity, threads: 1)
    #expect(disparity == [2, 2, 5, 5])
  }
}
