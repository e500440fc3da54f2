import DepthBase
import DepthImages
import Testing
import _TestSupport

@testable import DepthRefinement

@Suite struct EdgeWidthTests {
  /// A map with one edge from 1 to 3, which is a ramp of `width` pixels.
  private func ramp(_ width: Int) -> WeightedMap {
    let values = (0..<30 * 64).map { i -> Float in
      1 + 2 * Float(min(max(i % 64 - 32, 0), width)) / Float(width)
    }
    return WeightedMap(
      height: 30, width: 64, values: values, weights: .init(repeating: 1, count: values.count))
  }

  @Test("edge width is the ramp's width within 10 %") func isTheWidthOfTheRamp() {
    for width in [1, 2, 4, 8] {
      #expect(abs(ramp(width).edgeWidth(relative: false) - Float(width)) < 0.1 * Float(width))
    }
    #expect(ramp(20).edgeWidth(relative: false) > 7.99)
    // The scale of values has no effect.
    let far = ramp(4).with(ramp(4).values.map { $0 * 10 })
    #expect(abs(far.edgeWidth(relative: true) - ramp(4).edgeWidth(relative: true)) < 1e-4)
  }

  @Test("edge width of a map without edges is 8") func emptyConstantAndTinyMapsHaveAnAnswer() {
    for (height, width, weight) in [(1, 1, 1), (4, 5, 0), (30, 40, 1)] as [(Int, Int, Float)] {
      let map = WeightedMap(
        height: height, width: width, values: .init(repeating: 2, count: height * width),
        weights: .init(repeating: weight, count: height * width))
      #expect(map.edgeWidth(relative: true) == 8)
    }
  }

  @Test("the joint filter's window grows with the edge width") func softMapsGetTheWideWindow() {
    for (width, edge, sigma) in [
      (160, 3, 0.83), (160, 4.25, 1.745), (160, 7, 2.66), (240, 3, 1.1), (240, 4.25, 1.88),
      (240, 7, 2.66),
    ] as [(Int, Float, Float)] {
      for settings in [
        SharpMapSettings(height: 128, width: width), SharpMapSettings(height: width, width: 128),
      ] {
        let found = settings.sigma(sharpness: JointFilter.sharpness(edgeWidth: edge))
        #expect(abs(found - sigma) < 1e-6, "\(width), edges of \(edge) pixels: \(found)")
      }
    }
  }

  private static let smallMaps = SharpMapSettings(height: 30, width: 64)

  private static let texture = Image(
    height: 30, width: 64,
    pixels: MadeUpPictures.values(30 * 64 * 3).map { UInt8(100 + 40 * $0) })

  /// Colors of one surface differ more in a wide window, so texture could appear as edges.
  @Test("a soft map is filtered with 1.5 times the color range")
  func softMapsAllowForHalfAsMuchColorAgain() throws {
    let map = ramp(8).with(ramp(8).values.map { $0 / 5 })
    func byHand(_ range: Float) throws -> [Double] {
      try map.refinedBySteps(
        guidedBy: Self.texture, enlargement: 1, sigma: JointFilter.softSigma, range: range,
        sharpening: JointFilter.softSharpening * Self.smallMaps.sharpening, backProjection: 0)
    }
    let found = try JointFilter(detail: 1).refined(
      map, photo: Self.texture, reciprocal: false, relative: false, missing: 0,
      call: CallContext(threads: 1)
    ).map(Double.init)
    expectClose(found, try byHand(1.5), absolute: 1e-5)
    #expect(try zip(found, byHand(1)).contains { abs($0 - $1) > 1e-3 })
  }

  @Test("edges of a sharp map are steepened") func edgesOfSharpMapsAreSteepened() throws {
    let map = ramp(2).with(ramp(2).values.map { $0 / 5 })
    func byHand(steepened: Bool) throws -> [Double] {
      try map.refinedBySteps(
        guidedBy: Self.texture, enlargement: 1, sigma: Self.smallMaps.sigma,
        sharpening: Self.smallMaps.sharpening, steepened: steepened)
    }
    let found = try JointFilter(detail: 1).refined(
      map, photo: Self.texture, reciprocal: false, relative: false, missing: 0,
      call: CallContext(threads: 1)
    ).map(Double.init)
    expectClose(found, try byHand(steepened: true), absolute: 1e-5)
    #expect(try zip(found, byHand(steepened: false)).contains { abs($0 - $1) > 1e-3 })
  }

  @Test("slope weights keep crests and reduce ramps") func crestsKeepTheirWeightAndRampsLoseIt() {
    // A thin object is a crest of one pixel at x = 5. A ramp goes from x = 10 to 14.
    let line: [Float] = [1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1.5, 2, 2.5, 3, 3, 3]
    let map = WeightedMap(
      height: 3, width: 17, values: line + line + line, weights: .init(repeating: 1, count: 51))
    let weights = map.downweightingSlopes(0.1, relative: true, threads: 2).weights
    #expect(weights[17 + 5] == 1 && weights[17 + 4] == 1)
    #expect(weights[17 + 12] < 0.15)
    #expect(map.downweightingSlopes(0.1, relative: true, threads: 2).weights[17 + 16] == 1)
  }
}
