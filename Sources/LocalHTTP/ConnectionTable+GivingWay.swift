extension ConnectionTable {
  /// Takes out the connection with the least progress in the last ten seconds; where all are quick enough, the one that holds
  /// most.
  ///
  /// Every phase has a second to begin with, and what the server's own thread has not done yet is no fault of the client.
  ///
  /// - Parameters:
  ///   - isSlow: Whether only slow ones give way.
  ///   - isCandidate: Whether it would help that an entry gives way.
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

  /// By kilobytes that have come or gone; among equals, of the address with most such connections, the one that has waited
  /// longest.
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

  /// Whether its client sends or takes less than `rate` bytes a second. One without a request holds nobody up, so it is slow.
  fileprivate func isSlow(at now: ConnectionTable.Moment, rate: Int) -> Bool {
    guard phase == .receiving || phase == .answering else { return true }
    let seconds = min((now - since) / .seconds(1), Double(RecentBytes.seconds))
    return Double(connection.recentBytes(at: now)) < seconds * Double(rate)
  }
}
