import DepthImages
import Testing
import _TestSupport

@testable import DepthRefinement

/// Relative disparity is refined as shares of the map's range.
@Suite struct RelativeRefinementTests {
  private let photo = testImage(height: 48, width: 64)

  private func map(scale: Float, shift: Float) -> DepthMap {
    DepthMap(
      height: 12, width: 16, unit: .relativeDisparity,
      values: (0..<192).map { index -> Float in
        guard index != 40 else { return .nan }
        let value = Float(index % 16 / 8) + Float(index % 7) / 64
        return scale * value + shift
      })
  }

  @Test(
    "refinement commutes with scale and shift of relative disparity",
    arguments: RefinementMethod.Name.allCases, [false, true])
  func scaleAndShiftPassThrough(name: RefinementMethod.Name, fills: Bool) throws {
    let plain = try map(scale: 1, shift: 0).refined(
      guidedBy: photo, method: RefinementMethod(name), fillsMissing: fills, threads: 2)
    #expect(plain.unit == .relativeDisparity && plain.width == 64)
    #expect(plain.values.contains { $0.isNaN } != fills)
    for (scale, shift) in [(Float(1000), Float(0)), (0.01, 5), (1, -3)] {
      let other = try map(scale: scale, shift: shift).refined(
        guidedBy: photo, method: RefinementMethod(name), fillsMissing: fills, threads: 1)
      for (one, two) in zip(plain.values, other.values) where !one.isNaN {
        #expect(abs(one * scale + shift - two) <= 1e-3 * scale + 1e-5)
      }
    }
    // A picture for P. Matthes's filter, in which near is white.
    let shares = try map(scale: 1, shift: 0).normalized().refined(
      guidedBy: photo, method: RefinementMethod(name), fillsMissing: fills, threads: 2)
    let high = try #require(map(scale: 1, shift: 0).range()?.high)
    for (one, two) in zip(plain.values, shares.values) where !one.isNaN {
      #expect(abs(one - two * high) <= 1e-5)
    }
  }

  @Test("constant relative disparity stays constant") func constantMapsStayConstant() throws {
    let constant = DepthMap(
      height: 4, width: 4, unit: .relativeDisparity, values: .init(repeating: 3.5, count: 16))
    let refined = try constant.refined(guidedBy: testImage(height: 8, width: 8), threads: 1)
    #expect(refined.values.allSatisfy { abs($0 - 3.5) < 1e-5 })
    let none = DepthMap(
      height: 2, width: 2, unit: .relativeDisparity, values: .init(repeating: .nan, count: 4))
    #expect(
      try none.refined(guidedBy: testImage(height: 4, width: 4), threads: 1).range() == nil)
  }
}
