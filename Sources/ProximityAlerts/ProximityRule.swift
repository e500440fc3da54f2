import DepthImages

/// When something is near.
///
/// ```swift
/// var rule = ProximityRule()
/// rule.near = 1.2  // metres
/// rule.share = 0.05  // of a zone's pixels
/// ```
public struct ProximityRule: Sendable {
  /// What is compared.
  ///
  /// ```swift
  /// rule.kind = .nearHalf
  /// ```
  public enum Kind: Sendable, Equatable {
    /// The share of pixels nearer than a distance.
    case metres
    /// The alert of the article "Implement Depth Estimation on iOS Using a FCRN Model": more than 35 % of the picture in the
    /// nearer half of its range of depth, whatever the distance; with its faults of polarity and index corrected.
    case nearHalf
  }

  /// What is compared.
  public var kind = Kind.metres
  /// Metres below which a pixel is near.
  public var near = 0.8
  /// Share of a zone's valid pixels that must be near.
  public var share = 0.1
  /// Seconds that this must last.
  public var enterTime = 0.2
  /// Seconds that the opposite must last.
  public var leaveTime = 0.5
  /// Share of a zone's pixels that must have a depth.
  public var validShare = 0.3

  /// Something has left when the share nearer than ``near`` times this has fallen to half of ``share``.
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
