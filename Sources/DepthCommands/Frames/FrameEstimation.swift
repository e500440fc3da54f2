import DepthImages
import MonocularDepth

/// The estimation of the depth of frames.
struct FrameEstimation: Sendable {
  let weights: WeightsRequest
  var options: DepthOptions
  let camera: DepthOptions.CameraChoice
  let calibration: GivenCalibration
  let limits: ImageLimits
  /// `nil` for as many as there are processors.
  let threads: Int?

  /// Loads the network.
  ///
  /// - Parameter threads: Threads of one estimate; all by default.
  func pipeline(threads: Int? = nil) throws -> MapEstimation {
    let correction = try calibration.read()
    return MapEstimation(
      try weights.estimator(threads: threads ?? self.threads, loadingThreads: self.threads),
      options: options, camera: camera, calibration: correction, limits: limits)
  }
}
