/// Seconds until something is reached, from the distances of the last second.
///
/// > Source: P. K. Sen. "Estimates of the Regression Coefficient Based on Kendall's Tau." JASA 63, 1968: the
/// > slope is the median of the slopes of all pairs, which a few wrong distances do not change.
struct ContactTrend: Sendable {
  private var samples: [(time: Double, metres: Double)] = []

  /// Seconds looked back.
  private static let window = 1.0
  private static let fewest = 4
  /// Seconds between samples, except that the newest may be closer to the one before it.
  private static let spacing = window / 32
  /// Metres per second below which nothing comes nearer.
  private static let slowest = 0.05

  mutating func add(_ metres: Double, at time: Double) {
    samples.removeAll { $0.time < time - Self.window || $0.time >= time }
    if let last = samples.last, let before = samples.dropLast().last,
      last.time - before.time < Self.spacing
    {
      samples.removeLast()
    }
    samples.append((time, metres))
  }

  mutating func forget() { samples = [] }

  /// Seconds to distance 0 at the present speed; `nil` where nothing comes nearer or too little is known.
  var secondsToContact: Double? {
    guard samples.count >= Self.fewest, let last = samples.last else { return nil }
    let slopes = samples.indices.flatMap { i in
      samples[(i + 1)...].map { ($0.metres - samples[i].metres) / ($0.time - samples[i].time) }
    }.sorted()
    let slope = slopes[slopes.count / 2]
    guard slope < -Self.slowest else { return nil }
    let now = samples.map { $0.metres + slope * (last.time - $0.time) }.sorted()[samples.count / 2]
    return max(now, 0) / -slope
  }
}
