import DepthImages
import PictureFiles
import Testing

@testable import DepthPhotos

/// The near and far ends of depth pictures in HEIC files.
@Suite struct DepthRepresentationTests {
  /// An exchange of near and far would turn a scene inside out.
  @Test("black of a HEIC depth picture is far, white is near") func blackIsFarAndWhiteIsNear() {
    func map(_ range: HEIFDepth.Range) -> DepthMap {
      DepthRepresentation(range).map([0, 255], height: 1, width: 2)
    }
    let inverse = map(.inverse(near: 1, far: 4))
    #expect(inverse.unit == .disparity && inverse.values == [0.25, 1])
    let linear = map(.linear(near: 1, far: 4))
    #expect(linear.unit == .metres && linear.values == [4, 1])
  }

  @Test("metres and disparity of 0 or less are missing") func nonPositiveDepthIsMissing() {
    for unit in [DepthMap.Unit.metres, .disparity] {
      let map = DepthRepresentation(low: -1, high: 1, unit: unit).map(
        [0, 255], height: 1, width: 2)
      #expect(map.values == [0, 1])
    }
    let relative = DepthRepresentation(low: -1, high: 1, unit: .relativeDisparity)
    #expect(relative.map([0, 255], height: 1, width: 2).values == [-1, 1])
  }
}
