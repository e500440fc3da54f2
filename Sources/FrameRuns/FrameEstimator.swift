package import ArgumentParser
package import DepthImages
package import DepthOptions
package import DepthVideo
package import MonocularDepth
import PhotoRuns
import SystemEssentials

/// How flicker is taken out of successive maps.
package enum Steadiness: String, CaseIterable, ExpressibleByArgument {
  /// ``TemporalDepthFilter`` with its defaults.
  case gated
  /// The same filter without the lock of the scale and without a look at the photo.
  case exponential
  case none

  /// `nil` leaves maps alone.
  package var temporalFilter: TemporalDepthFilter? {
    switch self {
    case .gated: return TemporalDepthFilter()
    case .exponential: return .exponential
    case .none: return nil
    }
  }
}

/// Options of commands that estimate the depth of frames.
package struct FrameEstimationOptions: ParsableArguments {
  package init() {}

  @OptionGroup package var weights: WeightsOptions
  @OptionGroup package var camera: CameraOptions

  @OptionGroup package var confidence: ConfidenceOptions

  @Option(
    help: ArgumentHelp(
      """
      Correct estimated depth by this file, which 'depth calibrate' writes. If the weights predict relative \
      disparity, the result is in metres.
      """,
      valueName: "file"),
    completion: .file())
  package var calibration: String?

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
  package var steady: Steadiness = .gated

  @Option(
    help: ArgumentHelp(
      """
      Number of threads, 1 to 256. By default one per processor, but at most the environment variable \
      OMP_NUM_THREADS.
      """,
      valueName: "n"))
  package var threads: Int?

  @Flag(help: "Print no summary on standard error.")
  package var quiet = false

  package func validate() throws { try CommonOptions.checkThreads(threads) }

  /// - Parameter threads: Threads of one estimate; all by default.
  package func estimator(threads: Int? = nil) throws -> DepthEstimator {
    try weights.loading {
      try DepthEstimator(
        $0, threads: threads ?? self.threads, loadingThreads: self.threads,
        precision: weights.precision)
    }
  }

  package func readCalibration() throws -> DepthCalibration? {
    try calibration.map { try DepthCalibration(contentsOf: URL(filePath: $0)) }
  }
}

/// A frame with its map, on the way from one stage to the next.
package struct FrameDepth: Sendable {
  /// What errors call the frame.
  package let name: String
  package let arrival: ContinuousClock.Instant
  package let image: Image
  /// The map, in metres, and disparities for black and white.
  package var depth: DepthMap
  /// The expected errors of the map; `nil` if the weights do not predict them.
  package let errors: ErrorMap?
  package var range: ClosedRange<Float> = 0...1

  package init(
    name: String, arrival: ContinuousClock.Instant, image: Image, depth: DepthMap,
    errors: ErrorMap? = nil
  ) {
    (self.name, self.arrival, self.image) = (name, arrival, image)
    (self.depth, self.errors) = (depth, errors)
  }
}
