/// A change in a zone that ``ProximityMonitor`` reports.
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
    /// Something has come near.
    case enter
    /// Nothing is near anymore.
    case leave
    /// The zone cannot be watched, because too few of its pixels have a depth or because frames have stopped.
    case blind = "BLIND"
    /// The zone can be watched again.
    case sighted
  }

  /// What has changed.
  public var kind: Kind
  /// The time that the caller gave with the map, or to ``ProximityMonitor/lose(at:)``, seconds.
  public var time: Double
  /// The zone's name.
  public var zone: String
  /// The 5th percentile of the depth of the zone's valid pixels, metres; `nil` if there are none.
  public var nearest: Double?
  /// Share of valid pixels that are near, or the number that ``ProximityRule/Kind/nearHalf`` compares; `nil` without valid pixels.
  public var share: Double?
  /// Seconds until ``nearest`` reaches 0 at its speed of the last second; `nil` if it does not decrease.
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
