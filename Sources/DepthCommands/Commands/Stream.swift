import ArgumentParser
import DepthVideo
import FrameStreams
import MonocularDepth
import PictureFiles

/// `depth stream`: frames on standard input → depth frames on standard output.
struct Stream: RequestCommand {
  static let configuration = CommandConfiguration(
    commandName: "stream",
    abstract: "Turn a stream of frames into a stream of depth.",
    discussion: """
      Reads YUV4MPEG2 (ffmpeg -f yuv4mpegpipe), PPM, PGM, Motion JPEG and raw frames from standard input. \
      Writes YUV4MPEG2, PGM or raw depth to standard output. Damaged pictures in Motion JPEG are skipped and \
      counted. Examples:

        ffmpeg -i in.mp4 -f yuv4mpegpipe - | depth stream |
          ffmpeg -f yuv4mpegpipe -i - out.mp4
        ffmpeg -f v4l2 -i /dev/video0 -f yuv4mpegpipe - |
          depth stream --latest --to color | ffplay -

      The stream ends when its input ends, when the program that reads its output closes it, or on Ctrl-C (exit \
      status 130). Then standard error gets the frame rate, the number of dropped frames, and the time from the \
      arrival of a frame to its written depth.
      """)

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
  var to = StreamRequest().to

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
      valueName: "near:far"), transform: DisplayRange.argument)
  var pictureRange: DisplayRange?

  @Flag(
    exclusivity: .exclusive,
    help: ArgumentHelp(
      "Process every frame, or drop all but the newest.",
      discussion: """
        With --every-frame the source waits while frames are processed. With --latest it does not wait: of the \
        frames that arrived meanwhile, only the newest is processed.
        """))
  var queue: FrameQueue = .everyFrame

  @Flag(
    help: ArgumentHelp(
      "Put a header of 32 bytes with number, time and size before each frame of --to float32 and 16uc1.",
      discussion: """
        Little-endian: the letters DPTH; the header's length, 32 (uint32); the frame's number in the input, from 0, \
        dropped frames included (uint64); its time in microseconds (int64); width and height (uint32 each). The time \
        is that of its arrival since the stream began with --latest, and otherwise its number divided by --rate.
        """))
  var header = false

  @Flag(
    help: """
      Print one line of JSON per frame on standard error: frame, time (seconds), width and height.
      """)
  var json = false

  @Argument(help: .hidden) var files: [String] = []
  @OptionGroup var frames: FrameOptions
  @OptionGroup var limits: LimitOptions
  @OptionGroup var refinement: RefinementOptions
  @OptionGroup var estimation: FrameEstimationOptions

  func validate() throws {
    try FrameOptions.refuse(files, command: "stream")
    try frames.refuseBounds()
    try checkRequest()
    if header, to.isPicture {
      throw ValidationError("--header requires --to float32 or 16uc1, found --to \(to.rawValue)")
    }
  }

  var request: StreamRequest {
    StreamRequest(
      map: refinement.request(estimation.camera, estimation.confidence), to: to,
      colorMap: colorMap, pictureRange: pictureRange, steady: estimation.steady)
  }

  func run() throws {
    let (request, estimation, input) = (request, frameEstimation, frames.input)
    let isQuiet = self.estimation.quiet
    try StreamRun(
      frames: input, queue: queue, limits: limits.limits, threads: estimation.threads,
      isQuiet: isQuiet,
      stamps: StreamRun.Stamps(hasHeader: header, hasLine: json)
    ).run { reader, threads in
      let loaded = try estimation.loaded(threads: threads)
      let maker = try DepthFrames(request, of: reader, input, by: loaded, threads: threads)
      let frames = FramePipeline(
        loaded, smoothing: request.steady, threads: threads,
        framesPerSecond: input.framesPerSecond(of: reader),
        tell: isQuiet ? nil : FramePipeline.tell)
      return (
        loaded.estimator.precision,
        { try frames.output(of: $0, number: $1.index, steps: $1, by: maker) }
      )
    }
  }

  var frameEstimation: FrameEstimation {
    var options = request.map.options
    if !request.usesMetres { options.relativeDepth = .relative }
    return estimation.value(options, limits)
  }
}
