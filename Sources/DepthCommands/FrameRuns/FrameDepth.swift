import DepthBase
import DepthErrors
import DepthImages
import DepthPipeline
import FrameStreams
import MonocularDepth

/// A frame with its map, on the way from one stage to the next.
struct FrameDepth: Sendable {
  /// What errors call the frame.
  let name: String
  let arrival: ContinuousClock.Instant
  let image: Image
  /// The network's map before refinement and calibration, in the unit of its weights: metres or relative disparity.
  var depth: DepthMap
  /// The expected errors of the map; `nil` if the weights do not predict them.
  let errors: ErrorMap?
  /// What is unusual about the camera that the map was made for; `nil` for usual ones.
  let oddity: String?
  /// Disparities of the calibrated maps that become black and white in pictures; see `PictureRange`.
  var range: ClosedRange<Float> = 0...1

  init(
    name: String, arrival: ContinuousClock.Instant, image: Image, depth: DepthMap,
    errors: ErrorMap? = nil, oddity: String? = nil
  ) {
    (self.name, self.arrival, self.image) = (name, arrival, image)
    (self.depth, self.errors, self.oddity) = (depth, errors, oddity)
  }
}

extension DepthPipeline {
  /// A frame with the network's own map.
  ///
  /// - Parameters:
  ///   - image: The decoded frame.
  ///   - threads: Threads of the estimate, while no others are free.
  func frameDepth(
    of image: Image, _ frame: EncodedFrame, threads: Int
  ) throws -> FrameDepth {
    let estimate = try ThreadShare.run(of: threads) {
      try self.estimate(of: image, named: frame.name, call: CallContext(threads: $0))
    }
    return FrameDepth(
      name: frame.name, arrival: frame.arrival, image: image, depth: estimate.depth,
      errors: estimate.expectedError, oddity: oddity(of: estimate))
  }
}

extension EncodedFrame {
  /// The decoded frame; `nil` for one that is damaged while those behind it may be whole.
  func imageUnlessDamaged() throws -> Image? {
    do { return try image() } catch let error as DepthError
      where mayBeSkipped && error.code == .damaged
    {
      return nil
    }
  }
}
