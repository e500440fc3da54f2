/// A clock that measures the time since the last lap.
struct Stopwatch: Sendable {
  private let clock = ContinuousClock()
  private var last: ContinuousClock.Instant

  init() { last = clock.now }

  mutating func lap() -> Duration {
    let now = clock.now
    defer { last = now }
    return now - last
  }
}
