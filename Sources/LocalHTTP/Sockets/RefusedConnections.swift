/// Connections without a free thread, which the accepting thread rejects with a response.
///
/// Closing a connection while the client is sending would lose the response. Therefore received bytes are discarded for a
/// while before closing.
struct RefusedConnections {
  private var connections: [(connection: Connection, end: ContinuousClock.Instant)] = []

  /// Maximum number of connections. Further connections are closed at once.
  private static let capacity = 256

  var isEmpty: Bool { connections.isEmpty }

  /// Sends a response. The connection is closed after the client has read the response, or after a second.
  mutating func refuse(_ connection: Connection, _ answer: HTTPResponse) {
    let bytes = answer.head(length: answer.body.count, keepsAlive: false) + answer.body
    // The send buffer of a new connection is empty, so the write does not wait.
    try? connection.write(bytes, until: .now)
    connection.closeSide()
    if connections.count < Self.capacity { connections.append((connection, .now + .seconds(1))) }
  }

  /// Discards received bytes without waiting.
  mutating func readOn() {
    let now = ContinuousClock.now
    connections.removeAll { $0.end <= now || !$0.connection.discard() }
  }
}
