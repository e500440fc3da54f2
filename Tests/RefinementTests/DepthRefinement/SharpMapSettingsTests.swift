import DepthBase
import DepthImages
import Testing
import _TestSupport

@testable import DepthRefinement

@Suite("The joint filter's settings for sharp maps") struct SharpMapSettingsTests {
  @Test(
    "maps of 161 to 320 columns are filtered at 1.5 times their size, others at twice",
    arguments: [(160, false), (164, true), (320, true), (324, false)])
  func enlargementDependsOnTheSize(width: Int, isMedium: Bool) throws {
    let height = 24
    // A ramp of two pixels across the middle.
    let values = (0..<height * width).map { i in
      0.2 + 0.2 * Float(min(max(i % width - width / 2, 0), 2))
    }
    let map = WeightedMap(
      height: height, width: width, values: values,
      weights: .init(repeating: 1, count: values.count))
    let photo = Image(
      height: 3 * height, width: 3 * width,
      pixels: MadeUpPictures.values(27 * height * width).map { UInt8(100 + 40 * $0) })
    let found = try JointFilter(detail: 1).refined(
      map, photo: photo, reciprocal: false, relative: false, missing: 0,
      call: CallContext(threads: 1)
    ).map(Double.init)
    let usual = try map.refinedBySteps(
      guidedBy: photo, enlargement: 2, sigma: 0.83, sharpening: 0.8, levelReach: 1)
    let medium = try map.refinedBySteps(
      guidedBy: photo, enlargement: 1.5, sigma: 1.1, sharpening: 0.5, levelReach: 2)
    expectClose(found, isMedium ? medium : usual, absolute: 1e-5)
    #expect(zip(found, isMedium ? usual : medium).contains { abs($0 - $1) > 1e-3 })
  }
}

extension WeightedMap {
  /// The steps of `JointFilter` by hand, with all detail, where every pixel is filtered.
  func refinedBySteps(
    guidedBy photo: Image, enlargement: Float, sigma: Float, range: Float = 1, sharpening: Float,
    backProjection: Float = JointFilter().backProjection, levelReach: Int = 1,
    steepened: Bool = true
  ) throws -> [Double] {
    let filter = JointFilter(detail: 1)
    let steps = JointSteps(
      filter: filter, map: self, relative: false, call: CallContext(threads: 1))
    let small = areaAveraged(
      photo, height: Int(Float(height) * enlargement), width: Int(Float(width) * enlargement),
      threads: 1)
    let coarse = try steps.refined(
      at: small, sigma: sigma, sigmaRange: filter.sigmaRange * range, sharpening: sharpening,
      backProjection: backProjection, gate: nil)
    var result = try steps.upsampled(
      coarse, guide: small, photo: photo, .cubic, sigmaRange: filter.upsamplingSigma * range)
    if steepened {
      blend(
        &result, height: photo.height, width: photo.width, with: self,
        shares: with(.init(repeating: 1, count: values.count)),
        range: LevelRange(of: coarse, within: levelReach, relative: false, threads: 1),
        finish: .value(missing: 0), threads: 1)
    }
    return result.map(Double.init)
  }
}
