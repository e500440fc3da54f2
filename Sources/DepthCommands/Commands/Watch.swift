import ArgumentParser
import MonocularDepth
import ProximityAlerts

/// `depth watch`: frames on standard input → proximity events.
struct Watch: RequestCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Report when something comes near in a video stream.",
    discussion: """
      Reads frames as 'depth stream' does and prints one JSON object per event: 'enter' (something is near), 'leave' \
      (nothing is near anymore), 'BLIND' (too few pixels have a depth, or frames stop) or 'sighted' (no longer \
      blind). \
      Each event has the zone, the nearest distance in metres, the seconds to contact, the age of the frame in \
      seconds and the number of frames dropped so far; a value that is not known is null. Examples:

        ffmpeg -f v4l2 -i /dev/video0 -f yuv4mpegpipe - |
          depth watch --near 0.8m --fov 70
        ffmpeg -i in.mp4 -f yuv4mpegpipe - | depth watch --every-frame --near 4m
        depth watch --zone lower --exec 'sh -c "echo $DEPTH_ZONE >> log"' < in.y4m

      Damaged pictures in Motion JPEG are skipped and counted. Distances are estimates from one picture: never \
      rely on them alone where people could be hurt.
      """)

  @Flag(
    exclusivity: .exclusive,
    help: ArgumentHelp(
      "Process every frame, or only the newest.",
      discussion: """
        The default is --every-frame for a file ('depth watch < clip.y4m') and --latest for a pipe. Event times are \
        in seconds: with --latest, the frame's time of arrival; with --every-frame, the frame's number divided by \
        --rate, plus --source-timeout for each time that it passed without a frame.
        """))
  var queue: FrameQueue?

  @OptionGroup var rule: WatchRuleOptions

  @Option(
    help: ArgumentHelp(
      "Program to run on the events 'enter' and 'BLIND', with its arguments; no shell is involved.",
      discussion: """
        Spaces separate arguments; quotes and \\ keep them together as in a shell. Environment variables \
        describe the event: DEPTH_EVENT, DEPTH_ZONE, DEPTH_TIME, DEPTH_FRAME, DEPTH_NEAREST_M, \
        DEPTH_SHARE, DEPTH_SECONDS_TO_CONTACT, DEPTH_AGE, DEPTH_DROPPED.
        """,
      valueName: "command"))
  var exec: String?

  @Option(
    help: ArgumentHelp(
      "Shortest time between two starts of --exec, 1s by default; events in between do not start it.",
      valueName: "time"), transform: Seconds.argument)
  var execInterval: Seconds?

  @Flag(
    help: """
      Also print one JSON object per frame: the nearest distance in each column, in metres, with the fields of a ROS \
      LaserScan.
      """)
  var scan = false

  @Option(
    help: ArgumentHelp(
      """
      Rows that --scan uses, as shares of the picture's height: 0 is the top edge, 1 the bottom edge. All rows by \
      default.
      """,
      valueName: "top:bottom"), transform: RowSpan.argument)
  var scanRows: RowSpan?

  @Argument(help: .hidden) var files: [String] = []
  @OptionGroup var frames: FrameOptions
  @OptionGroup var limits: LimitOptions
  @OptionGroup var estimation: FrameEstimationOptions

  func validate() throws {
    try FrameOptions.refuse(files, command: "watch")
    try frames.refuseBounds()
    try checkRequest()
    if scanRows != nil, !scan { throw ValidationError("--scan-rows requires --scan") }
    guard let exec else {
      guard execInterval == nil else {
        throw ValidationError("--exec-interval requires --exec")
      }
      return
    }
    guard let arguments = shellArguments(exec) else {
      throw ValidationError("--exec \(exec): a quote is not closed, or nothing follows the last \\")
    }
    if arguments.first?.isEmpty ?? true {
      throw ValidationError("--exec is empty, expected a program")
    }
  }

  func run() throws {
    let runner = exec.flatMap(shellArguments).map {
      CommandRunner($0, interval: execInterval?.seconds ?? 1)
    }
    let rows = scan ? scanRows?.rows ?? 0...1 : nil
    try WatchedStream(
      frames: frames.input,
      // A file waits for the program; a camera cannot wait.
      queue: queue ?? (FrameInput.isFile ? .everyFrame : .latest), estimation: frameEstimation,
      smoothing: estimation.steady, monitor: rule.monitor, rule: rule.rule.rawValue,
      sourceTimeout: rule.sourceTimeout.seconds, scanRows: rows, isQuiet: estimation.quiet
    ).run(runner)
  }

  var request: MapRequest {
    MapRequest(
      camera: estimation.camera.request, refinement: RefinementRequest(refine: .none),
      minConfidence: estimation.confidence.minConfidence)
  }

  var frameEstimation: FrameEstimation { estimation.value(request.options, limits) }
}
