import ArgumentParser
import DepthImages
import DepthOptions
import DepthVideo
import MonocularDepth
import PhotoRuns
import SystemEssentials

/// How flicker is taken out of successive maps.
enum Steadiness: String, CaseIterable, ExpressibleByArgument {
  /// ``DepthSteadier`` with its defaults.
  case gated
  /// The same filter without the lock of the scale and without a look at the photo.
  case exponential
  case none

  /// `nil` leaves maps alone.
  var steadier: DepthSteadier? {
    switch self {
    case .gated: return DepthSteadier()
    case .exponential: return .exponential
    case .none: return nil
    }
  }
}

/// Options of commands that estimate the depth of frames.
struct FrameEstimationOptions: ParsableArguments {
  @OptionGroup var weights: WeightsOptions
  @OptionGroup var camera: CameraOptions

  @Option(
    help: ArgumentHelp("Correct depth by what 'depth calibrate' wrote.", valueName: "file"),
    completion: .file())
  var calibration: String?

  @Option(
    help: ArgumentHelp(
      "Flicker filter: \(Steadiness.allCases.map(\.rawValue).joined(separator: ", ")).",
      discussion: """
        gated locks the scale of each map to the running one and filters depth where the photo has not \
        changed; exponential filters everywhere alike.
        """,
      valueName: "name"))
  var steady: Steadiness = .gated

  @Option(help: ArgumentHelp("Threads; all processors by default.", valueName: "n"))
  var threads: Int?

  @Flag(help: "No summary on standard error.")
  var quiet = false

  func validate() throws { try CommonOptions.checkThreads(threads) }

  /// - Parameter threads: Threads of one estimate; all by default.
  func estimator(threads: Int? = nil) throws -> DepthEstimator {
    try weights.loading {
      try DepthEstimator(
        $0, threads: threads ?? self.threads, loadingThreads: self.threads,
        precision: weights.precision)
    }
  }

  func readCalibration() throws -> DepthCalibration? {
    try calibration.map { try DepthCalibration(contentsOf: URL(filePath: $0)) }
  }
}

/// A frame with its map, on the way from one stage to the next.
struct FrameDepth: Sendable {
  let arrival: ContinuousClock.Instant
  let image: Image
  /// The map, in metres, and disparities for black and white.
  var depth: DepthMap
  var range: ClosedRange<Float> = 0...1
}
