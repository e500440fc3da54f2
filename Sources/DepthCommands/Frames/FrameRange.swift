import DepthVideo
import FrameStreams
import MonocularDepth
import Synchronization

/// The disparities that are shown as black and white: a fixed range, or a range that follows the
/// film slowly.
final class FrameRange: Sendable {
  private let fixed: ClosedRange<Float>?
  private let followed = Mutex(PictureRange())

  init(_ fixed: ClosedRange<Float>?) { self.fixed = fixed }

  /// The range of a frame's calibrated map, determined in ordered step 1.
  func next(
    _ frame: FrameDepth, by estimation: MapEstimation, _ steps: OrderedSteps
  ) throws -> ClosedRange<Float> {
    if let fixed { return try steps.run(1) { fixed } }
    let calibrated = try frame.calibrated(by: estimation)
    return try steps.run(1) {
      followed.withLock { $0.next(calibrated, isCut: frame.change.isCut) }
    }
  }

  /// The state that is kept between frames.
  var saved: PictureRange {
    get { followed.withLock { $0 } }
    set { followed.withLock { $0 = newValue } }
  }
}
