extension ConnectionTable {
  /// Evicts the slow connection with the least progress in the last ten seconds, or the connection with the most bytes
  /// if no connection is slow.
  ///
  /// New connections, bodies and responses have a grace period of one second. Delays by the server's own threads do not
  /// count as slowness.
  ///
  /// - Parameters:
  ///   - isSlow: Whether only slow connections may be evicted.
  ///   - isCandidate: Whether evicting an entry would help.
  mutating func giveWay(
    at now: Moment, isSlow: Bool = false, among isCandidate: (Entry) -> Bool
  ) -> Entry? {
    let candidates = entries.values.filter { $0.mayGiveWay(at: now) && isCandidate($0) }
    let slow = candidates.filter { $0.isSlow(at: now, rate: limits.slowestRate) }
    let chosen =
      slow.isEmpty
      ? isSlow ? nil : candidates.max { $0.bytes < $1.bytes }
      : slowest(of: slow, at: now)
    guard let chosen else { return nil }
    evict(chosen)
    return chosen
  }

  /// The connection with the fewest recent kilobytes. Among equals, addresses with the most slow connections come first,
  /// then the connection that has waited longest.
  private func slowest(of slow: [Entry], at now: Moment) -> Entry? {
    let counts = Dictionary(grouping: slow, by: \.connection.address).mapValues(\.count)
    func rank(_ entry: Entry) -> (kilobytes: Int, ofAddress: Int, since: Moment) {
      let count = counts[entry.connection.address] ?? 0
      return (entry.connection.recentBytes(at: now) >> 10, -count, entry.since)
    }
    return slow.min { rank($0) < rank($1) }
  }
}

extension ConnectionTable.Entry {
  fileprivate func mayGiveWay(at now: ConnectionTable.Moment) -> Bool {
    switch phase {
    case .waiting: !connection.hasUnreadBytes
    case .fresh, .receiving: hasBegun(at: now) && !connection.hasUnreadBytes
    case .working: false
    case .answering: hasBegun(at: now) && !connection.takesBytes
    }
  }

  private func hasBegun(at now: ConnectionTable.Moment) -> Bool { now - since > .seconds(1) }

  /// Whether the client transfers less than `rate` bytes per second. A connection without a request counts as slow.
  fileprivate func isSlow(at now: ConnectionTable.Moment, rate: Int) -> Bool {
    guard phase == .receiving || phase == .answering else { return true }
    let seconds = min((now - since) / .seconds(1), Double(RecentBytes.seconds))
    return Double(connection.recentBytes(at: now)) < seconds * Double(rate)
  }
}
