import MonocularDepth

/// The settings for estimating the depth of frames; the network is loaded later.
struct FrameEstimation: Sendable {
  let weights: WeightsRequest
  /// The options without the calibration, which is read with the weights.
  var options: DepthOptions
  let calibration: GivenCalibration
  /// Number of threads; `nil` for one per processor.
  let threads: Int?

  /// Loads the network.
  ///
  /// - Parameter threads: Threads of one estimate; all by default.
  func loaded(threads: Int? = nil) throws -> MapEstimation {
    let correction = try calibration.read()
    let estimation = try weights.estimation(
      options, calibration: correction, threads: threads ?? self.threads,
      loadingThreads: self.threads)
    try correction?.warn(for: estimation.estimator, refinement: options.refinement)
    return estimation
  }
}
