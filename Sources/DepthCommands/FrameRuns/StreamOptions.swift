import ArgumentParser
import DepthBase
import DepthErrors
import DepthImages
import DepthPipeline
import DepthRequests
import DepthVideo
import FrameStreams
import MonocularDepth
import PictureFiles
import Synchronization

/// The options of `depth stream`.
struct StreamOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Format of depth on standard output: \(DepthFrameFormat.allCases.map(\.rawValue).joined(separator: ", ")).
      """,
      discussion: """
        float32 (metres, NaN = no value) and 16uc1 (millimetres, 0 = no value) are little-endian rows without a \
        header, as in ROS REP 118. The others are pictures of disparity, near = white, whose range adapts slowly to \
        the video. gray8, gray16, color and beside are YUV4MPEG2; pgm8 and pgm16 are PGM. color and beside use \
        --color-map; beside has the frame at the left and its depth at the right.
        """,
      valueName: "format"))
  var to: DepthFrameFormat = .gray8

  @Option(
    help: ArgumentHelp(
      """
      Color map of --to color and beside: \(ColorMap.allCases.map(\.rawValue).joined(separator: ", ")). inferno by \
      default.
      """,
      valueName: "name"))
  var colorMap: ColorMap?

  @Option(
    help: ArgumentHelp(
      """
      Distances that become white (near) and black (far) in pictures, in metres, such as 0.5:6. By default the range \
      adapts to the video.
      """,
      valueName: "near:far"))
  var pictureRange: PictureSpan?

  @Flag(
    exclusivity: .exclusive,
    help: ArgumentHelp(
      "Process every frame, or drop all but the newest.",
      discussion: """
        With --every-frame the source waits while frames are processed. With --latest it does not wait: of the \
        frames that arrived meanwhile, only the newest is processed.
        """))
  var queue: FrameQueue = .everyFrame

  @Argument(help: .hidden) var files: [String] = []
  @OptionGroup var frames: FrameOptions
  @OptionGroup var limits: LimitOptions
  @OptionGroup var refinement: RefinementOptions
  @OptionGroup var estimation: FrameEstimationOptions

  func validate() throws {
    try FrameOptions.refuse(files, command: "stream")
    try namingOptions(request.check)
  }

  private var request: StreamRequest {
    var request = StreamRequest()
    request.map = refinement.request(estimation.camera, estimation.confidence)
    (request.to, request.colorMap) = (to, colorMap)
    (request.pictureRange, request.steady) = (pictureRange, estimation.steady)
    return request
  }

  func run() throws {
    try FrameStreamRun(
      frames: frames, queue: queue, limits: limits.limits, threads: estimation.threads,
      isQuiet: estimation.quiet
    ).run { reader, threads in
      let pipeline = try pipeline(threads: threads)
      if !to.isPicture { try pipeline.unit.requireMetric(for: "--to \(to.rawValue)") }
      if pictureRange != nil { try pipeline.unit.requireMetric(for: "--picture-range") }
      try pipeline.calibration?.check(pipeline.estimator.unit)
      let joining = Mutex(
        StreamJoining(
          temporalFilter: estimation.steady.temporalFilter, fixedRange: pictureRange?.disparities))
      let encoder = DepthFrameEncoder(
        format: to, colorMap: colorMap ?? .inferno, rate: frames.rate(of: reader),
        pixelAspect: reader.pixelAspect)
      return (
        pipeline.estimator.precision,
        { frame, turn in
          let image = try frame.imageUnlessDamaged()
          let estimated = try image.map {
            try pipeline.frameDepth(of: $0, frame, threads: threads)
          }
          let joined = try turn.inOrder(0) {
            try estimated.map { frame in
              try joining.withLock { try $0.joined(frame, pipeline: pipeline) }
            }
          }
          guard let joined else { return nil }
          return try output(of: joined, pipeline: pipeline, encoder: encoder, threads: threads)
        }
      )
    }
  }

  /// How the maps are made.
  ///
  /// - Parameter threads: Threads of one estimate.
  func pipeline(threads: Int) throws -> DepthPipeline {
    DepthPipeline(
      try estimation.estimator(threads: threads),
      settings: request.map.settings, camera: request.map.camera.setting,
      calibration: try estimation.calibration.read(),
      limits: limits.limits)
  }

  /// Finishes the map of a frame and encodes it.
  private func output(
    of frame: FrameDepth, pipeline: DepthPipeline, encoder: DepthFrameEncoder, threads: Int
  ) throws -> FrameStreamRun.Output {
    let call = CallContext(threads: threads)
    var depth = try pipeline.finished(
      frame.depth, errors: frame.errors, guidedBy: frame.image, camera: nil,
      named: frame.name, mayBeEmpty: true, call: call)
    if to == .beside {
      depth = try depth.stretched(over: frame.image, limits: pipeline.limits, call: call)
    }
    return FrameStreamRun.Output(
      arrival: frame.arrival,
      header: encoder.header(
        depth: PixelSize(width: depth.width, height: depth.height),
        photo: PixelSize(width: frame.image.width, height: frame.image.height)),
      bytes: encoder.frame(depth, photo: frame.image, range: frame.range))
  }
}

/// What `depth stream` does to frames in their order.
private struct StreamJoining {
  var temporalFilter: TemporalDepthFilter?
  let fixedRange: ClosedRange<Float>?
  private var range = PictureRange()

  init(temporalFilter: TemporalDepthFilter?, fixedRange: ClosedRange<Float>?) {
    (self.temporalFilter, self.fixedRange) = (temporalFilter, fixedRange)
  }

  /// - Parameter pipeline: The one that finishes the maps; the range is that of calibrated maps.
  mutating func joined(_ frame: FrameDepth, pipeline: DepthPipeline) throws -> FrameDepth {
    var frame = frame
    if let filtered = try temporalFilter?.filtered(frame.depth, photo: frame.image) {
      frame.depth = filtered
    }
    if let fixedRange {
      frame.range = fixedRange
    } else {
      let calibrated = try pipeline.calibrated(
        frame.depth, camera: nil, named: frame.name, mayBeEmpty: true)
      frame.range = range.next(calibrated, isCut: temporalFilter?.hasRestarted ?? false)
    }
    return frame
  }
}
