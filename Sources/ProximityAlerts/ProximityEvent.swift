/// Something that a rule reports.
///
/// ```swift
/// if event.kind == .enter { print(event.zone, event.nearest ?? 0, event.secondsToContact ?? 0) }
/// ```
public struct ProximityEvent: Sendable, Equatable {
  /// What has changed.
  ///
  /// ```swift
  /// if event.kind == .blind { stop() }
  /// ```
  public enum Kind: String, Sendable {
    /// Something is near.
    case enter
    /// It no longer is.
    case leave
    /// Too little of the zone has a depth, or frames have stopped: nothing is known.
    case blind = "BLIND"
    /// Depth is back.
    case sighted
  }

  /// What has changed.
  public var kind: Kind
  /// Seconds on the clock of the maps.
  public var time: Double
  /// The zone's name.
  public var zone: String
  /// The 5th percentile of the depth of the zone's valid pixels, metres; `nil` without depth.
  public var nearest: Double?
  /// Share of valid pixels that are near, or the mean that ``ProximityRule/Kind/nearHalf`` compares; `nil` without depth.
  public var share: Double?
  /// Seconds until what comes nearer is at distance 0, at its speed of the last second; `nil` where nothing comes nearer.
  public var secondsToContact: Double?

  /// An event of the given parts.
  public init(
    kind: Kind, time: Double, zone: String, nearest: Double? = nil, share: Double? = nil,
    secondsToContact: Double? = nil
  ) {
    (self.kind, self.time, self.zone) = (kind, time, zone)
    (self.nearest, self.share, self.secondsToContact) = (nearest, share, secondsToContact)
  }
}
