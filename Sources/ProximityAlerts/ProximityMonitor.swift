import DepthErrors
public import DepthImages

/// Watches the zones of a picture in a sequence of depth maps, and reports when an object comes near.
///
/// The monitor has no clock: the caller supplies the time of each map.
///
/// ```swift
/// var monitor = ProximityMonitor(rule: rule, zones: ProximityZone.thirds)
/// for (index, frame) in frames.enumerated() {
///   let depth = try estimator.depth(of: frame, options: .unrefined)
///   for event in try monitor.observe(depth, at: Double(index) / 15) {
///     print(event.kind, event.zone)
///   }
/// }
/// ```
public struct ProximityMonitor: Sendable {
  private struct Watched: Sendable {
    enum State: Sendable { case clear, near, blind }

    let zone: ProximityZone
    var state = State.clear
    /// The time from which the condition for a change of state has been met; `nil` if the condition is not met.
    var since: Double?
    var trend = ContactTrend()
  }

  /// The rule that decides when something is near.
  public let rule: ProximityRule
  private var watched: [Watched]
  /// Pixels of each zone in maps of ``size``.
  private var pixels: [[Int]] = []
  private var size: (height: Int, width: Int)?

  /// Creates a monitor of zones. The rule `nearHalf` ignores `zones` and watches the whole picture.
  public init(rule: ProximityRule, zones: [ProximityZone]) {
    self.rule = rule
    let whole = ProximityZone(name: "picture", corners: [[0, 0], [1, 0], [1, 1], [0, 1]])
    watched = (rule.kind == .nearHalf ? [whole] : zones).map { Watched(zone: $0) }
  }

  /// Processes the next map and returns its events in the order of the zones.
  ///
  /// - Parameters:
  ///   - depth: A map in metres.
  ///   - time: The map's time in seconds, not before the previous map's time.
  /// - Throws: `DepthError` if a zone is so small that it contains no center of a map's pixel.
  public mutating func observe(_ depth: DepthMap, at time: Double) throws -> [ProximityEvent] {
    if size.map({ $0 != (depth.height, depth.width) }) ?? true {
      let pixels = watched.map { $0.zone.pixels(height: depth.height, width: depth.width) }
      if let empty = pixels.firstIndex(where: \.isEmpty) {
        throw DepthError.invalidArgument(
          name: "zone '\(watched[empty].zone.name)'", found: "without a pixel",
          expected: "a larger one")
      }
      self.pixels = pixels
      size = (depth.height, depth.width)
    }
    var events: [ProximityEvent] = []
    for index in watched.indices {
      let reading = ZoneReading(depth, pixels: pixels[index], rule: rule)
      events += update(&watched[index], reading, at: time)
    }
    return events
  }

  /// Records that no more frames arrive, which makes all zones blind.
  ///
  /// - Parameter time: The current time in seconds, not before the last map's time.
  /// - Returns: An event `blind` for each zone that was not blind before.
  public mutating func lose(at time: Double) -> [ProximityEvent] {
    watched.indices.compactMap { blind(&watched[$0], at: time) }
  }

  private func blind(_ zone: inout Watched, at time: Double) -> ProximityEvent? {
    guard zone.state != .blind else { return nil }
    (zone.state, zone.since) = (.blind, nil)
    zone.trend.forget()
    return ProximityEvent(kind: .blind, time: time, zone: zone.zone.name)
  }

  private func update(
    _ zone: inout Watched, _ reading: ZoneReading, at time: Double
  ) -> [ProximityEvent] {
    guard reading.validShare >= rule.validShare, let nearest = reading.nearest else {
      return [blind(&zone, at: time)].compactMap { $0 }
    }
    zone.trend.add(nearest, at: time)
    func event(_ kind: ProximityEvent.Kind) -> ProximityEvent {
      ProximityEvent(
        kind: kind, time: time, zone: zone.zone.name, nearest: nearest, share: reading.share,
        secondsToContact: zone.trend.secondsToContact)
    }
    var events: [ProximityEvent] = []
    if zone.state == .blind {
      zone.state = .clear
      events.append(event(.sighted))
    }
    let wantsChange = zone.state == .near ? reading.isClear : reading.isNear
    guard wantsChange else {
      zone.since = nil
      return events
    }
    let since = zone.since ?? time
    zone.since = since
    // Times are sums of frame durations, so the comparison tolerates rounding errors.
    let needed = zone.state == .near ? rule.leaveTime : rule.enterTime
    guard time - since >= needed - 1e-9 else { return events }
    zone.since = nil
    zone.state = zone.state == .near ? .clear : .near
    return events + [event(zone.state == .near ? .enter : .leave)]
  }
}
