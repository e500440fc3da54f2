import DepthBase
import DepthImages
import DepthVideo
import FrameStreams
import MonocularDepth
import ProximityAlerts
import Synchronization

/// The run of `depth watch` over the frames on standard input.
struct WatchedStream {
  let frames: FrameInput
  let queue: FrameQueue
  let estimation: FrameEstimation
  let smoothing: TemporalSmoothing
  let monitor: ProximityMonitor
  let rule: String
  /// Seconds without a frame after which all zones are blind.
  let sourceTimeout: Double
  /// Rows of the scan; `nil` if no scan is made.
  let scanRows: ClosedRange<Double>?
  let isQuiet: Bool

  /// Reports events until the stream ends.
  ///
  /// - Parameter runner: Program that is started on events; `nil` for none.
  /// - Throws: `DepthError`; the exit status after Ctrl-C.
  func run(_ runner: CommandRunner?) throws {
    try runner?.check()
    if runner != nil { CommandRunner.forgetsEndedPrograms() }
    Interruption.finishesOnFirst()
    let stop = StopFlag()
    let reader = try frames.reader(stop: stop, limits: estimation.options.limits)
    let (rate, damaged) = (frames.framesPerSecond(of: reader), reader.damaged)
    let watcher = FrameWatcher(
      estimation: try estimation.loaded(), smoothing: smoothing, monitor: monitor,
      scanRows: scanRows, tellsNotes: !isQuiet)
    try watcher.estimation.unit.requireMetric(for: "'depth watch'")
    try watcher.estimation.options.calibration?.check(watcher.estimation.estimator.unit)
    let frames = Channel<EncodedFrame>(policy: queue == .latest ? .keepNewest : .block)
    let source = Mutex(reader)
    try frames.startFilling("frames") { try source.withLock { try $0.next() } }
    let clock = ContinuousClock()
    var run = WatchRun(
      watcher, runner, source: frames, rate: rate, start: clock.now,
      countsByRate: queue == .everyFrame, sourceTimeout: sourceTimeout, rule: rule)
    defer {
      if !isQuiet {
        let summary = run.meter.summary(
          dropped: frames.dropped, damaged: damaged.value, now: clock.now)
        Console.note("\(summary), \(watcher.estimation.estimator.precision.rawValue)")
      }
    }
    do { try run.run() } catch is ReaderGone { stop.stop() }
    if Interruption.hasCome { throw RunStatus.interrupted }
  }
}
