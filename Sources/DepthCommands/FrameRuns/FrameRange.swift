import DepthImages
import DepthPipeline
import DepthVideo
import FrameStreams
import Synchronization

/// The disparities that become black and white in pictures of depth: given ones, or those of a film, which change slowly.
final class FrameRange: Sendable {
  private let fixed: ClosedRange<Float>?
  private let followed = Mutex(PictureRange())

  init(_ fixed: ClosedRange<Float>?) { self.fixed = fixed }

  /// Those of a frame; its step 1. They are those of finished maps, which a calibration has turned into metres.
  func next(
    _ frame: FrameDepth, by pipeline: DepthPipeline, _ order: FrameOrder
  ) throws -> ClosedRange<Float> {
    let calibrated = fixed == nil ? try frame.calibrated(by: pipeline) : nil
    return try order.inOrder(1) {
      guard let calibrated else { return fixed ?? 0...1 }
      return followed.withLock { $0.next(calibrated, isCut: frame.change.isCut) }
    }
  }

  /// What is kept from frame to frame.
  var saved: PictureRange {
    get { followed.withLock { $0 } }
    set { followed.withLock { $0 = newValue } }
  }
}
