import DepthBase
import DepthImages
import Testing
import _TestSupport

@testable import DepthRefinement

/// Steps of the joint filter between the grids of map and photo.
@Suite struct JointStepsTests {
  private static let (height, width) = (12, 16)

  /// A ramp across the map, on a grid that is `times` as fine.
  private static func ramp(_ times: Int) -> WeightedMap {
    WeightedMap(
      height: height * times, width: width * times,
      values: (0..<height * width * times * times).map {
        1 + 0.05 * (Float($0 % (width * times)) + 0.5) / Float(times)
      }, weights: .init(repeating: 1, count: height * width * times * times))
  }

  private static var steps: JointSteps {
    JointSteps(
      filter: JointFilter(), map: ramp(1), relative: false, call: CallContext(threads: 1))
  }

  /// Slopes are measured in the scene, not per grid cell.
  @Test("a slope has the same weight on a finer grid", arguments: [2, 4])
  func slopesWeighTheSameOnAFinerGrid(times: Int) {
    let coarse = Self.steps.downweightingSlopes(Self.ramp(1)).weights[6 * Self.width + 8]
    let fine = Self.steps.downweightingSlopes(Self.ramp(times))
      .weights[(6 * Self.width * times + 8) * times]
    #expect(coarse < 0.9 && abs(fine - coarse) < 1e-3, "\(fine), \(coarse)")
  }

  /// Pixels on a ramp mix two depths, even if the colors match.
  @Test("slope weights apply twice to pixels on a ramp")
  func uncertainPixelsCountLittleWhereColorsMatch() throws {
    let photo = Image(
      height: Self.height, width: Self.width,
      pixels: .init(repeating: 90, count: Self.height * Self.width * 3))
    let steps = Self.steps
    let result = try steps.refined(
      at: photo, sigma: 0.6, sigmaRange: 0.1, sharpening: 0, backProjection: 0, gate: nil)
    let own = steps.downweightingSlopes(
      result.with(weights: .init(repeating: 1, count: result.values.count)))
    for (found, weight) in zip(result.weights, own.weights) {
      #expect(abs(found - weight * weight) < 1e-6)
    }
  }

  @Test("a filled gap has the slope of its surroundings")
  func filledGapsClimbAsTheirSurroundings() {
    var weights = Self.ramp(1).weights
    let gap = [4 * Self.width + 6, 4 * Self.width + 7, 5 * Self.width + 6, 5 * Self.width + 7]
    for pixel in gap { weights[pixel] = 0 }
    let filled = Self.ramp(1).with(weights: weights).filled().values
    #expect(filled[gap[0]] < filled[gap[1]] && filled[gap[2]] < filled[gap[3]])
    #expect(gap.allSatisfy { abs(filled[$0] - Self.ramp(1).values[$0]) < 0.1 })
  }
}
