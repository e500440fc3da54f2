import DepthImages
import Testing

@testable import PictureFiles

/// The values of 16-bit samples.
@Suite struct SampleScaleTests {
  /// The lightest and the darkest gray of a depth picture do not become white and black.
  @Test("16-bit samples span 0…1 for normalized maps") func picturesOfDepthKeepTheirGrays() {
    let range = ValueRange(low: 0.25, high: 0.75, missing: 0)
    let scale = SampleScale(for: .normalized(near: .white), range: range)
    #expect(abs(scale.value(1)) < 1e-6 && abs(scale.value(65_535) - 1) < 1e-6)
    let disparity = SampleScale(for: .disparity, range: range)
    #expect(abs(disparity.value(1) - 0.25) < 1e-6 && abs(disparity.value(65_535) - 0.75) < 1e-6)
  }
}
