/// Connections that no thread is free for: each gets an answer, on the thread that takes connections.
///
/// An answer would be lost if its connection were closed while the client still sends; so what it sends is read for a while.
struct RefusedConnections {
  private var connections: [(connection: Connection, end: ContinuousClock.Instant)] = []

  /// Connections at most; what comes beyond them is closed at once.
  private static let capacity = 256

  var isEmpty: Bool { connections.isEmpty }

  /// Sends an answer; the connection is closed once its client has read it, or after a second.
  mutating func refuse(_ connection: Connection, _ answer: HTTPResponse) {
    let bytes = answer.head(length: answer.body.count, keepsAlive: false) + answer.body
    // The buffer of a new connection is empty.
    try? connection.write(bytes, until: .now)
    connection.closeSide()
    if connections.count < Self.capacity { connections.append((connection, .now + .seconds(1))) }
  }

  /// Reads what has come, without waiting.
  mutating func readOn() {
    let now = ContinuousClock.now
    connections.removeAll { $0.end <= now || !$0.connection.discard() }
  }
}
