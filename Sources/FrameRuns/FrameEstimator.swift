package import ArgumentParser
import DepthErrors
package import DepthImages
package import DepthOptions
package import DepthPipeline
package import DepthVideo
package import FrameStreams
package import MonocularDepth
import ThreadTeams

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

  @OptionGroup package var calibration: CalibrationOptions

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

  @Option(help: .threads) package var threads: Int?

  @Flag(help: "Print no summary on standard error.")
  package var quiet = false

  package func validate() throws { try CommonOptions.checkThreads(threads) }

  /// - Parameter threads: Threads of one estimate; all by default.
  package func estimator(threads: Int? = nil) throws -> DepthEstimator {
    try weights.estimator(threads: threads ?? self.threads, loadingThreads: self.threads)
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
  /// Those to expect of the map; `nil` where the weights tell none.
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

extension DepthPipeline {
  /// A frame with the network's own map.
  ///
  /// - Parameters:
  ///   - image: The decoded frame.
  ///   - threads: Threads of the estimate, while no others are free.
  package func frameDepth(
    of image: Image, _ frame: EncodedFrame, threads: Int
  ) throws -> FrameDepth {
    let estimate = try ThreadShare.run(of: threads) {
      try self.estimate(of: image, named: frame.name, call: CallContext(threads: $0))
    }
    return FrameDepth(
      name: frame.name, arrival: frame.arrival, image: image, depth: estimate.depth,
      errors: estimate.expectedError)
  }
}

extension EncodedFrame {
  /// The decoded frame; `nil` for one that is damaged while those behind it may be whole.
  package func imageUnlessDamaged() throws -> Image? {
    do { return try image() } catch let error as DepthError
      where mayBeSkipped && error.code == .damaged
    {
      return nil
    }
  }
}
