import DepthImages

/// When something is near.
package struct ProximityRule: Sendable {
  package enum Kind: Sendable, Equatable {
    /// Share of pixels nearer than a distance.
    case metres
    /// ``ArticleRule``.
    case article
  }

  package var kind = Kind.metres
  /// Metres below which a pixel is near.
  package var near = 0.8
  /// Share of a zone's valid pixels that must be near.
  package var share = 0.1
  /// Seconds that this must last.
  package var enterTime = 0.2
  /// Seconds that the opposite must last.
  package var leaveTime = 0.5
  /// Share of a zone's pixels that must have a depth.
  package var validShare = 0.3

  /// Leaving asks for a distance this much larger, and for half of the share.
  package static let leaveFactor = 1.15

  package init() {}
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
    case .article:
      let share = ArticleRule.share(of: depth)
      self.share = share
      isNear = share > ArticleRule.alertShare
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
