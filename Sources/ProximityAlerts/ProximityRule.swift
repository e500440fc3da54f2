import DepthImages

/// The rule that decides when something is near.
///
/// ```swift
/// var rule = ProximityRule()
/// rule.near = 1.2  // metres
/// rule.share = 0.05  // of a zone's pixels
/// ```
public struct ProximityRule: Sendable, Hashable, Codable {
  /// The quantity that the rule compares.
  ///
  /// ```swift
  /// rule.kind = .nearHalf
  /// ```
  public enum Kind: String, Sendable, Codable, CaseIterable {
    /// In each zone, the share of pixels that are nearer than ``ProximityRule/near``.
    case metres
    /// The alert of the article "Implement Depth Estimation on iOS Using a FCRN Model".
    ///
    /// Something is near if more than 35 % of the picture is in the nearer half of the map's own range, at any distance. Three
    /// errors in the article's code are corrected: exchanged near and far, exchanged rows and columns, and a fixed number of
    /// pixels as divisor. ``ProximityRule/near`` and ``ProximityRule/share`` are not used.
    case nearHalf = "near-half"
  }

  /// The quantity that the rule compares.
  public var kind = Kind.metres
  /// The depth below which a pixel is near, in metres.
  public var near = 0.8
  /// The share of near pixels, among the zone's pixels with a depth, above which something is near, 0…1.
  public var share = 0.1
  /// Seconds for which something must be near before the event ``ProximityEvent/Kind/enter``.
  public var enterTime = 0.2
  /// Seconds for which nothing must be near before the event ``ProximityEvent/Kind/leave``. For this event, pixels up to 1.15
  /// times ``near`` are near.
  public var leaveTime = 0.5
  /// The share of pixels with a depth below which a zone is blind, 0…1.
  public var validShare = 0.3

  /// A zone becomes clear when the share of pixels nearer than ``near`` times this factor is at most half of ``share``.
  ///
  /// This hysteresis prevents noise from causing many events.
  package static let leaveFactor = 1.15

  /// The default rule: something is near if more than a tenth of a zone is nearer than 0.8 m for 0.2 s.
  public init() {}
}

/// A rule's measurement of one zone of one map.
struct ZoneReading: Sendable {
  var validShare = 0.0
  var nearest: Double?
  var share: Double?
  /// Whether the conditions to enter and to leave are met.
  var (isNear, isClear) = (false, true)

  /// - Parameter pixels: Indices of the zone's pixels, at least one.
  init(_ depth: DepthMap, pixels: [Int], rule: ProximityRule) {
    let metres = pixels.map { depth.values[$0] }.filter(depth.hasValue)
    validShare = Double(metres.count) / Double(pixels.count)
    guard !metres.isEmpty else { return }
    nearest = Double(sortedElement(of: metres, at: metres.count / 20))
    switch rule.kind {
    case .nearHalf:
      let share = NearHalfRule.share(of: depth)
      self.share = share
      isNear = share > NearHalfRule.alertShare
      isClear = !isNear
    case .metres:
      func share(below limit: Double) -> Double {
        Double(metres.count { Double($0) < limit }) / Double(metres.count)
      }
      let near = share(below: rule.near)
      self.share = near
      isNear = near > rule.share
      isClear = share(below: rule.near * ProximityRule.leaveFactor) <= rule.share / 2
    }
  }
}

/// The time until contact, from the distances of the last second.
///
/// > Source: P. K. Sen. "Estimates of the Regression Coefficient Based on Kendall's Tau." JASA 63, 1968: the median of the
/// > slopes of all pairs is robust against a few wrong distances.
struct ContactTrend: Sendable {
  private var samples: [(time: Double, metres: Double)] = []

  /// Length of the history in seconds.
  private static let window = 1.0
  private static let fewest = 4
  /// Minimum seconds between samples, except before the newest sample.
  private static let spacing = window / 32
  /// Minimum speed of approach, metres per second.
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

  /// Seconds to distance 0 at the current speed; `nil` without an approach or with too few samples.
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
