import DepthBase
import FrameStreams
import ProximityAlerts

/// Reports on the frames of one stream, from the first to the last.
struct WatchRun {
  private(set) var watcher: FrameWatcher
  private(set) var meter: StreamMeter
  /// Starts a program on events; `nil` without one.
  private var runner: CommandRunner?
  let source: Channel<EncodedFrame>
  /// Frames per second that the stream is said to have.
  let rate: Double
  /// Time without a frame after which all zones are blind, seconds.
  let sourceTimeout: Double
  /// The rule's name.
  let rule: String

  private var time: StreamTime
  /// Time of the last frame that could be seen.
  private var seen = 0.0
  private var frame: EncodedFrame?
  private var firstArrival: ContinuousClock.Instant?
  private var hasHinted = false

  /// - Parameter countsByRate: Whether times are those of the stream, counted by its rate, or those of the frames' arrival.
  init(
    _ watcher: FrameWatcher, _ runner: CommandRunner?, source: Channel<EncodedFrame>, rate: Double,
    start: ContinuousClock.Instant, countsByRate: Bool, sourceTimeout: Double, rule: String
  ) {
    (self.watcher, self.runner, meter) = (watcher, runner, StreamMeter(start: start))
    (self.source, self.rate) = (source, rate)
    (self.sourceTimeout, self.rule) = (sourceTimeout, rule)
    time = StreamTime(rate: countsByRate ? rate : nil, start: start)
  }

  /// Reports until there are no more frames. Where the stream ends by a fault, all zones are blind before.
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

  /// - Returns: `false` at the end.
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

  /// Frames that come much faster than their rate, and are dropped, are those of a film and not of a camera.
  private mutating func hintAtEveryFrame(_ next: EncodedFrame) {
    // The first frame that is looked at may be a late one already.
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

/// The time of a stream that is watched, in seconds; it never goes back.
struct StreamTime {
  /// Frames per second by which frames are counted; `nil` if their times are those of their arrival.
  let rate: Double?
  let start: ContinuousClock.Instant

  /// The time of the last frame, or of the end of the last wait for one.
  private(set) var now = 0.0
  /// Seconds without a frame so far, which the numbers of frames leave out.
  private var waited = 0.0

  init(rate: Double?, start: ContinuousClock.Instant) {
    (self.rate, self.start) = (rate, start)
  }

  /// Takes a frame.
  mutating func take(frame index: Int, arrival: ContinuousClock.Instant) {
    if let rate {
      now = waited + Double(index) / rate
    } else {
      now = max(now, (arrival - start) / .seconds(1))
    }
  }

  /// Adds a time for which no frame came.
  mutating func wait(_ seconds: Double) {
    waited += seconds
    now += seconds
  }
}
