import Foundation
import Testing

@testable import DepthVideo

/// A shot's focal length and smoothed scale, from a network's estimates for each frame.
@Suite struct ShotCameraTests {
  private func focalLengths(
    _ own: [Double?], cuts: Set<Int> = [], estimatesPerSecond: Double
  ) -> [Double?] {
    var camera = ShotCamera(estimatesPerSecond: estimatesPerSecond)
    return own.enumerated().map {
      camera.next(focalLength: $1, lnScale: 0, isCut: cuts.contains($0)).focalLength
    }
  }

  @Test("a shot's focal length is the median of its first second") func theFirstSecondDecides() {
    let own: [Double?] = [1, 3, 2, 2.5, 9, 9, 9, 9]
    #expect(focalLengths(own, estimatesPerSecond: 4) == [1, 3, 2, 2.5, 2.5, 2.5, 2.5, 2.5])
    #expect(focalLengths(own, estimatesPerSecond: 5.4) == [1, 3, 2, 2.5, 2.5, 2.5, 2.5, 2.5])
    #expect(focalLengths(own, estimatesPerSecond: 6) == [1, 3, 2, 2.5, 2.5, 3, 3, 3])
    // A film with less than one estimate per second uses the first estimate.
    #expect(focalLengths(own, estimatesPerSecond: 0.2) == [Double?](repeating: 1, count: 8))
  }

  @Test(
    "a saved shot needs at least one deciding estimate",
    arguments: [(1, true), (0, false), (-3, false)])
  func savedShotsAreChecked(deciding: Int, isConsistent: Bool) throws {
    let saved = try JSONEncoder().encode(ShotCamera(estimatesPerSecond: 1))
    let text = String(decoding: saved, as: UTF8.self)
    let changed = text.replacing("\"deciding\":1", with: "\"deciding\":\(deciding)")
    #expect(changed.contains("\"deciding\":\(deciding)"))
    let camera = try JSONDecoder().decode(ShotCamera.self, from: Data(changed.utf8))
    #expect(camera.isConsistent == isConsistent)
  }

  @Test("a cut begins another shot") func aCutBeginsAnotherShot() {
    #expect(
      focalLengths([1, 3, 2, 7, 5, 6], cuts: [3], estimatesPerSecond: 3) == [1, 3, 2, 7, 7, 6])
  }

  @Test("a shot without estimates has no focal length") func noFocalLengthWithoutEstimates() {
    #expect(focalLengths([nil, nil], estimatesPerSecond: 30) == [nil, nil])
  }

  @Test("the scale changes slowly within a shot") func theScaleMovesSlowly() {
    var camera = ShotCamera(estimatesPerSecond: 30)
    #expect(camera.next(focalLength: 1, lnScale: 0, isCut: true).lnScale == 0)
    let next = camera.next(focalLength: 1, lnScale: 0.5, isCut: false).lnScale
    #expect(next > 0 && next < 0.25)
    #expect(camera.next(focalLength: 1, lnScale: 0.5, isCut: true).lnScale == 0.5)
  }
}
