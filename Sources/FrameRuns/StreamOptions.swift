package import ArgumentParser
import DepthErrors
import DepthImages
package import DepthOptions
import DepthPipeline
import DepthVideo
package import FrameStreams
import MonocularDepth
import PhotoRuns
package import PictureFiles
import ProcessLimits
import Synchronization
import ThreadTeams

/// The options of `depth stream`.
package struct StreamOptions: ParsableArguments {
  package init() {}

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
  package var to: DepthFrameFormat = .gray8

  @Option(
    help: ArgumentHelp(
      """
      Color map of --to color and beside: \(ColorMap.allCases.map(\.rawValue).joined(separator: ", ")).
      """,
      valueName: "name"))
  package var colorMap: ColorMap = .inferno

  @Option(
    help: ArgumentHelp(
      """
      Distances that become white (near) and black (far) in pictures, in metres, such as 0.5:6. By default the range \
      adapts to the video.
      """,
      valueName: "near:far"))
  package var pictureRange: PictureSpan?

  @Flag(
    exclusivity: .exclusive,
    help: ArgumentHelp(
      "Process every frame, or drop all but the newest.",
      discussion: """
        With --every-frame the source waits while frames are processed. With --latest it does not wait: of the \
        frames that arrived meanwhile, only the newest is processed.
        """))
  package var queue: FrameQueue = .everyFrame

  @Argument(help: .hidden) package var files: [String] = []
  @OptionGroup package var frames: FrameOptions
  @OptionGroup package var limits: LimitOptions
  @OptionGroup package var refinement: RefinementOptions
  @OptionGroup package var estimation: FrameEstimationOptions

  package func validate() throws { try FrameOptions.refuse(files, command: "stream") }

  package func run() throws {
    try Console.checkStandardOutputTakesBytes()
    let stop = StopFlag()
    Interruption.finishesOnFirst()
    let reader = try frames.reader(stop: stop, limits: limits.limits)
    let (rate, damaged) = (frames.rate(of: reader), reader.damaged)
    let threads = try ThreadCount.checked(estimation.threads)
    // Frames beside each other use all processors without waiting for one another; a single one, whose
    // age counts, gets them all.
    let threadsPerFrame = queue == .latest ? threads : 1
    let work = StreamWork(
      pipeline: DepthPipeline(
        try estimation.estimator(threads: threadsPerFrame),
        settings: estimation.confidence.applied(to: refinement.settings),
        camera: estimation.camera.setting, calibration: try estimation.readCalibration()),
      needsPhotoSize: to == .beside, threads: threadsPerFrame)
    if !to.isPicture { try work.pipeline.requireMetres(for: "--to \(to.rawValue)") }
    if pictureRange != nil { try work.pipeline.requireMetres(for: "--picture-range") }
    try work.pipeline.calibration?.check(work.pipeline.estimator.unit)
    let joining = Mutex(
      Joining(
        temporalFilter: estimation.steady.temporalFilter, fixedRange: pictureRange?.disparities))
    let output = DepthFrameOutput(
      encoder: DepthFrameEncoder(
        format: to, colorMap: colorMap, rate: rate, pixelAspect: reader.pixelAspect))
    let feed = try FrameFeed(reader, queue: queue)
    let lanes = FrameLanes(
      next: { try feed.next() },
      work: { frame, turn -> EncodedDepth? in
        let estimated = try work.estimated(frame)
        let joined = try turn.inOrder(0) {
          try estimated.map { frame in
            try joining.withLock { try $0.joined(frame, pipeline: work.pipeline) }
          }
        }
        guard let joined else { return nil }
        let refined = try work.refined(joined)
        return EncodedDepth(frame: refined, bytes: output.encoded(refined))
      },
      deliver: { depth in
        guard let depth else { return output.skip() }
        do { try output.write(depth) } catch {
          // The source must not go on waiting for a reader that has gone.
          stop.stop()
          throw error
        }
      })
    defer {
      if !estimation.quiet {
        let precision = work.pipeline.estimator.precision
        let summary = output.summary(dropped: feed.dropped, damaged: damaged.value)
        Console.note("depth: \(summary), \(precision.rawValue)\n")
      }
    }
    // One lane more than processors, for those that wait for their turn or for a frame.
    do { try lanes.run(lanes: queue == .latest ? 1 : threads + 1) } catch is ReaderGone {}
    if Interruption.hasCome { throw Interruption.exitCode }
  }
}

/// `0.5:6`, metres.
package struct PictureSpan: ExpressibleByArgument {
  package let near, far: Float

  package init?(argument: String) {
    let parts = argument.split(separator: ":", omittingEmptySubsequences: false).map { Float($0) }
    guard parts.count == 2, let near = parts[0], let far = parts[1], near > 0, far > near,
      far.isFinite
    else { return nil }
    (self.near, self.far) = (near, far)
  }

  /// 1 / metres, black to white.
  package var disparities: ClosedRange<Float> { 1 / far...1 / near }
}
