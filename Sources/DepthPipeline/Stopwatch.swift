/// Time since the last lap.
package struct Stopwatch: Sendable {
  private let clock = ContinuousClock()
  private var last: ContinuousClock.Instant

  package init() { last = clock.now }

  package mutating func lap() -> Duration {
    let now = clock.now
    defer { last = now }
    return now - last
  }
}
