/// Something that a rule reports.
package struct ProximityEvent: Sendable, Equatable {
  package enum Kind: String, Sendable {
    /// Something is near.
    case enter
    /// It no longer is.
    case leave
    /// Too little of the zone has a depth, or frames have stopped: nothing is known.
    case blind = "BLIND"
    /// Depth is back.
    case sighted
  }

  package var kind: Kind
  /// Seconds on the clock of the maps.
  package var time: Double
  package var zone: String
  /// The depth that a twentieth of the zone's valid pixels are nearer than, metres; `nil` without depth.
  package var nearest: Double?
  /// Share of valid pixels that are near, or the article's mean; `nil` without depth.
  package var share: Double?
  package var secondsToContact: Double?

  package init(
    kind: Kind, time: Double, zone: String, nearest: Double? = nil, share: Double? = nil,
    secondsToContact: Double? = nil
  ) {
    (self.kind, self.time, self.zone) = (kind, time, zone)
    (self.nearest, self.share, self.secondsToContact) = (nearest, share, secondsToContact)
  }
}
