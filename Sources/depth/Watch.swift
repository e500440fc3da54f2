import ArgumentParser
import DepthErrors
import DepthImages
import DepthVideo
import FrameStreams
import MonocularDepth
import ProximityAlerts
import Synchronization
import ThreadTeams

/// `depth watch`: frames on standard input → proximity events.
struct Watch: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Say when something comes near, from a stream of frames.",
    discussion: """
      Reads frames as 'depth stream' does and prints one JSON object per event: enter, leave, BLIND and \
      sighted, with the zone, the nearest metres and the seconds to contact. Example:

        ffmpeg -f v4l2 -i /dev/video0 -f yuv4mpegpipe - |
          depth watch --near 0.8m --fov 70

      Distances are estimates from one picture: never rely on them alone where somebody can be hurt.
      """)

  @Flag(
    exclusivity: .exclusive,
    help: ArgumentHelp(
      "Which frames count: only the newest one whenever there is time, or each.",
      discussion: """
        With --latest, times are those of the frames' arrival; with --every-frame they are counted by the \
        stream's rate.
        """))
  var queue: FrameQueue = .latest

  @OptionGroup var rule: WatchOptions

  @Option(
    help: ArgumentHelp(
      "Program to run on enter and BLIND, with its arguments; no shell.",
      discussion: """
        Spaces separate words; quotes and \\ keep them together as in a shell. The event is in its environment: DEPTH_EVENT, DEPTH_ZONE, DEPTH_TIME, DEPTH_FRAME, DEPTH_NEAREST_M, \
        DEPTH_SHARE, DEPTH_SECONDS_TO_CONTACT.
        """,
      valueName: "command"))
  var exec: String?

  @Option(help: ArgumentHelp("Least time between two runs of --exec.", valueName: "time"))
  var execInterval = Seconds(seconds: 1)

  @Flag(
    help:
      "Also print the nearest metre per column for each frame, with the fields of ROS's LaserScan.")
  var scan = false

  @Option(
    help: ArgumentHelp(
      "Rows that --scan looks at, as shares of the height from the top.", valueName: "top:bottom"))
  var scanRows = RowSpan(rows: 0...1)

  @Argument(help: .hidden) var files: [String] = []
  @OptionGroup var frames: FrameOptions
  @OptionGroup var estimation: FrameEstimationOptions

  func validate() throws {
    try FrameOptions.refuse(files, command: "watch")
    guard let exec else { return }
    guard let words = commandWords(exec) else {
      throw ValidationError("--exec \(exec): a quote is not closed, or nothing follows the last \\")
    }
    if words.first?.isEmpty ?? true {
      throw ValidationError("--exec is empty, expected a program")
    }
  }

  func run() throws {
    Interruption.finishesOnFirst()
    let stop = StopFlag()
    let reader = try frames.reader(stop: stop)
    let rate = frames.rate(of: reader).value ?? 30
    var runner = exec.flatMap(commandWords).map {
      CommandRunner($0, interval: execInterval.seconds)
    }
    var watcher = FrameWatcher(
      estimator: try estimation.estimator(), options: estimation,
      calibration: try estimation.readCalibration(), monitor: rule.monitor,
      scanRows: scan ? scanRows.rows : nil)
    let slot = FrameSlot(keepsNewest: queue == .latest)
    let source = Mutex(reader)
    guard OwnThread.start({ slot.fill { try source.withLock { try $0.next() } } }) else {
      throw DepthError(.insufficientMemory, "the system gives no second thread to read frames")
    }
    let clock = ContinuousClock()
    let start = clock.now
    var meter = StreamMeter(start: start)
    defer {
      if !estimation.quiet {
        let summary = meter.summary(dropped: slot.dropped, now: clock.now)
        Console.note("depth: \(summary), \(watcher.estimator.precision.rawValue)\n")
      }
    }
    do {
      try watch(slot, rate: rate, start: start, watcher: &watcher, runner: &runner, meter: &meter)
    } catch is ReaderGone {
      stop.stop()
    }
    if Interruption.hasCome { throw Interruption.exitCode }
  }

  /// Reports on frames until there are no more.
  ///
  /// - Throws: ``ReaderGone``, or `DepthError`.
  private func watch(
    _ slot: FrameSlot, rate: Double, start: ContinuousClock.Instant, watcher: inout FrameWatcher,
    runner: inout CommandRunner?, meter: inout StreamMeter
  ) throws {
    // The first frame of `--every-frame` is at 0.
    var last = 0.0
    var frame: Int?
    while true {
      switch try slot.take(upTo: .seconds(rule.sourceTimeout.seconds)) {
      case .end:
        return
      case .timeout:
        last += rule.sourceTimeout.seconds
        for event in watcher.monitor.lose(at: last) {
          try report(event, frame: frame, to: &runner)
        }
      case .frame(let next):
        frame = next.index
        last =
          queue == .latest
          ? max(last, (next.arrival - start) / .seconds(1)) : Double(next.index) / rate
        for event in try watcher.observe(next, at: last) {
          try report(event, frame: frame, to: &runner)
        }
        if let scan = watcher.scan {
          try PipedOutput.write(
            Array(jsonLine(ScanRecord(scan, frame: next.index, time: last)).utf8))
        }
        meter.count(arrival: next.arrival, now: ContinuousClock().now)
      }
    }
  }

  private func report(
    _ event: ProximityEvent, frame: Int?, to runner: inout CommandRunner?
  ) throws {
    let record = EventRecord(event, rule: rule.rule.rawValue, frame: frame)
    try PipedOutput.write(Array(jsonLine(record).utf8))
    if event.kind == .enter || event.kind == .blind {
      runner?.run(record.environment, at: event.time)
    }
  }
}

/// `0.3:0.7`, shares of the picture's height.
struct RowSpan: ExpressibleByArgument {
  let rows: ClosedRange<Double>

  init(rows: ClosedRange<Double>) { self.rows = rows }

  init?(argument: String) {
    let parts = argument.split(separator: ":", omittingEmptySubsequences: false).map { Double($0) }
    guard parts.count == 2, let top = parts[0], let bottom = parts[1], top >= 0, bottom <= 1,
      top < bottom
    else { return nil }
    rows = top...bottom
  }

  var defaultValueDescription: String { "\(rows.lowerBound):\(rows.upperBound)" }
}
