import DepthBase
import FrameStreams
import ProximityAlerts

/// Watches the frames of one stream and reports events.
struct WatchRun {
  private(set) var watcher: FrameWatcher
  private(set) var meter: StreamMeter
  /// Program that is started on events; `nil` for none.
  private var runner: CommandRunner?
  let source: Channel<EncodedFrame>
  /// The stream's nominal frames per second.
  let rate: Double
  /// Seconds without a frame after which all zones are blind.
  let sourceTimeout: Double
  let rule: String

  private var time: StreamTime
  /// Time of the last intact frame.
  private var seen = 0.0
  private var frame: EncodedFrame?
  private var firstArrival: ContinuousClock.Instant?
  private var hasHinted = false

  /// - Parameter countsByRate: Whether times are frame numbers divided by the rate, instead of times of arrival.
  init(
    _ watcher: FrameWatcher, _ runner: CommandRunner?, source: Channel<EncodedFrame>, rate: Double,
    start: ContinuousClock.Instant, countsByRate: Bool, sourceTimeout: Double, rule: String
  ) {
    (self.watcher, self.runner, meter) = (watcher, runner, StreamMeter(start: start))
    (self.source, self.rate) = (source, rate)
    (self.sourceTimeout, self.rule) = (sourceTimeout, rule)
    time = StreamTime(rate: countsByRate ? rate : nil, start: start)
  }

  /// Reports events until the stream ends. Before an error is thrown, all zones become blind.
  ///
  /// - Throws: ``ReaderGone``, or `DepthError`.
  mutating func run() throws {
    do {
      while try step() {}
    } catch let gone as ReaderGone {
      throw gone
    } catch {
      try lose()
      throw error
    }
  }

  /// Processes the next frame or timeout.
  ///
  /// - Returns: `false` at the end of the stream.
  private mutating func step() throws -> Bool {
    let delivery = try source.receive(upTo: .seconds(sourceTimeout))
    runner?.reap()
    switch delivery {
    case .end: return false
    case .timeout:
      time.wait(sourceTimeout)
      try lose()
    case .element(let next):
      frame = next
      time.take(frame: next.index, arrival: next.arrival)
      hintAtEveryFrame(next)
      guard let image = try next.imageUnlessDamaged() else {
        meter.countDamaged()
        if time.now - seen >= sourceTimeout { try lose() }
        break
      }
      seen = time.now
      for event in try watcher.observe(image, named: next.name, at: time.now) {
        try report(event)
      }
      if let scan = watcher.scan {
        try Console.write(
          Array(jsonLine(ScanRecord(scan, frame: next.index, time: time.now)).utf8))
      }
      meter.count(arrival: next.arrival, now: ContinuousClock().now)
    }
    return true
  }

  private mutating func lose() throws {
    for event in watcher.monitor.lose(at: time.now) { try report(event) }
  }

  private mutating func report(_ event: ProximityEvent) throws {
    let age = frame.map { (ContinuousClock().now - $0.arrival) / .seconds(1) }
    let record = EventRecord(
      event, rule: rule, frame: frame?.index, age: age, dropped: source.dropped)
    try Console.write(Array(jsonLine(record).utf8))
    if event.kind == .enter || event.kind == .blind {
      runner?.run(record.environment)
    }
  }

  /// Prints a hint if frames are dropped and arrive much faster than the nominal rate. A film from a pipe has
  /// such frames.
  private mutating func hintAtEveryFrame(_ next: EncodedFrame) {
    // The first processed frame may not be the first frame that arrived.
    let first = firstArrival ?? (next.index == 0 ? next.arrival : time.start)
    firstArrival = first
    let seconds = (next.arrival - first) / .seconds(1)
    guard !hasHinted, next.index >= 10, Double(next.index) > 1.5 * rate * seconds,
      source.dropped * 2 > next.index
    else { return }
    hasHinted = true
    Console.note(
      "frames arrive faster than they are processed, \(source.dropped) were dropped; "
        + "--every-frame processes every frame of a film")
  }
}

/// The time of a watched stream in seconds, which never decreases.
struct StreamTime {
  /// Frames per second for counting frames; `nil` for times of arrival.
  let rate: Double?
  let start: ContinuousClock.Instant

  /// The time of the last frame, or the end of the last timeout.
  private(set) var now = 0.0
  /// Total seconds of timeouts, during which the frame number does not increase.
  private var waited = 0.0

  init(rate: Double?, start: ContinuousClock.Instant) {
    (self.rate, self.start) = (rate, start)
  }

  /// Advances the time to a frame's time.
  mutating func take(frame index: Int, arrival: ContinuousClock.Instant) {
    if let rate {
      now = waited + Double(index) / rate
    } else {
      now = max(now, (arrival - start) / .seconds(1))
    }
  }

  /// Adds the duration of a timeout.
  mutating func wait(_ seconds: Double) {
    waited += seconds
    now += seconds
  }
}
