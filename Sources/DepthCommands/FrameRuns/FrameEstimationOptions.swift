import ArgumentParser
import DepthBase
import DepthRequests
import DepthVideo
import MonocularDepth

/// Options of commands that estimate the depth of frames.
struct FrameEstimationOptions: ParsableArguments {
  @OptionGroup var weights: WeightsOptions
  @OptionGroup var camera: CameraOptions

  @OptionGroup var confidence: ConfidenceOptions

  @OptionGroup var calibration: CalibrationOptions

  @Option(
    help: ArgumentHelp(
      """
      Temporal filter against flicker: \(Steadiness.allCases.map(\.rawValue).joined(separator: ", ")).
      """,
      discussion: """
        gated moves the scale of each map toward the scale of earlier maps, and averages depth over time where the \
        photo has not changed. exponential averages all pixels. none leaves each map as it is estimated.
        """,
      valueName: "name"))
  var steady: Steadiness = .gated

  @Option(help: .threads) var threads: Int?

  @Flag(help: "Print no summary on standard error.")
  var quiet = false

  func validate() throws { try check("--threads", threads, in: ThreadCount.range) }

  /// - Parameter threads: Threads of one estimate; all by default.
  func estimator(threads: Int? = nil) throws -> DepthEstimator {
    try weights.estimator(threads: threads ?? self.threads, loadingThreads: self.threads)
  }
}
