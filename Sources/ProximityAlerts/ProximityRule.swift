import DepthImages

/// The rule that decides when something is near.
///
/// ```swift
/// var rule = ProximityRule()
/// rule.near = 1.2  // metres
/// rule.share = 0.05  // of a zone's pixels
/// ```
public struct ProximityRule: Sendable {
  /// The quantity that the rule compares.
  ///
  /// ```swift
  /// rule.kind = .nearHalf
  /// ```
  public enum Kind: Sendable, Equatable {
    /// The share of pixels that are nearer than ``ProximityRule/near``.
    case metres
    /// The alert of the article "Implement Depth Estimation on iOS Using a FCRN Model": more than 35 % of the picture is in the
    /// nearer half of the map's own range, at any distance. The article's errors of polarity and index are corrected.
    case nearHalf
  }

  /// The quantity that the rule compares.
  public var kind = Kind.metres
  /// Metres below which a pixel is near.
  public var near = 0.8
  /// Share of a zone's valid pixels that must be near.
  public var share = 0.1
  /// Seconds for which something must be near before it is reported.
  public var enterTime = 0.2
  /// Seconds for which nothing may be near before that is reported.
  public var leaveTime = 0.5
  /// Share of a zone's pixels that must have a depth.
  public var validShare = 0.3

  /// Nothing is near anymore when the share of pixels nearer than ``near`` times this factor is at most half of ``share``.
  public static let leaveFactor = 1.15

  /// The default rule: a tenth of a zone nearer than 0.8 m for 0.2 s.
  public init() {}
}

/// What a rule measures in one zone of one map.
struct ZoneReading: Sendable {
  var validShare = 0.0
  var nearest: Double?
  var share: Double?
  /// Whether the condition to enter, or to leave, holds.
  var (isNear, isClear) = (false, true)

  /// - Parameter pixels: Indices of the zone, at least one.
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
