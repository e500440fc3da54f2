/// Bytes that a connection has received and sent in the last ten seconds.
struct RecentBytes: Sendable {
  typealias Moment = ContinuousClock.Instant

  static let seconds = 10

  private let start: Moment
  /// Bytes of each second, indexed by the second modulo ``seconds``.
  private var bytes = [Int](repeating: 0, count: seconds)
  /// The last second in ``bytes``.
  private var latest = 0

  init(at start: Moment = .now) { self.start = start }

  mutating func add(_ count: Int, at now: Moment = .now) {
    advance(to: now)
    bytes[latest % Self.seconds] += count
  }

  mutating func total(at now: Moment = .now) -> Int {
    advance(to: now)
    return bytes.reduce(0, +)
  }

  private mutating func advance(to now: Moment) {
    let second = Int(start.duration(to: now) / .seconds(1))
    guard second > latest else { return }
    for passed in max(latest + 1, second - Self.seconds + 1)...second {
      bytes[passed % Self.seconds] = 0
    }
    latest = second
  }
}
