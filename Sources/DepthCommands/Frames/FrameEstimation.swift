import DepthImages
import MonocularDepth

/// The estimation of the depth of frames.
struct FrameEstimation: Sendable {
  let weights: WeightsRequest
  let options: DepthOptions
  let camera: DepthOptions.CameraChoice
  let calibration: GivenCalibration
  let limits: ImageLimits
  /// `nil` for as many as there are processors.
  let threads: Int?

  /// Loads the network.
  ///
  /// - Parameter threads: Threads of one estimate; all by default.
  func pipeline(threads: Int? = nil) throws -> MapEstimation {
    MapEstimation(
      try weights.estimator(threads: threads ?? self.threads, loadingThreads: self.threads),
      options: options, camera: camera, calibration: try calibration.read(), limits: limits)
  }
}
