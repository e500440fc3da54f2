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
    /// The zone can be watched again. Nothing counts as near at this moment: if something is near, ``enter`` is
    /// reported again after ``ProximityRule/enterTime``.
    case sighted
  }

  /// What has changed.
  public var kind: Kind
  /// The time that the caller gave with the map, or to ``ProximityMonitor/lose(at:)``, seconds.
  public var time: Double
  /// The zone's name.
  public var zone: String
  /// The 5th percentile of the depths in the zone, metres; `nil` for an event `blind`.
  public var nearest: Double?
  /// The number that the rule compares, 0…1. For ``ProximityRule/Kind/metres``, it is the share of near pixels among
  /// the zone's pixels that have a depth. For ``ProximityRule/Kind/nearHalf``, it is the share of the picture in the
  /// nearer half of the map's range. `nil` for an event `blind`.
  public var share: Double?
  /// Seconds until ``nearest`` reaches 0 at its speed of the last second. `nil` if it approaches by less than 5 cm per
  /// second, if there are fewer than four maps of the last second, of which maps less than 1/32 s apart count as one, and
  /// for an event `blind`.
  public var secondsToContact: Double?

  /// An event with the given values.
  public init(
    kind: Kind, time: Double, zone: String, nearest: Double? = nil, share: Double? = nil,
    secondsToContact: Double? = nil
  ) {
    (self.kind, self.time, self.zone) = (kind, time, zone)
    (self.nearest, self.share, self.secondsToContact) = (nearest, share, secondsToContact)
  }
}
