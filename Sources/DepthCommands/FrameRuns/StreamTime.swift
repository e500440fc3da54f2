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
