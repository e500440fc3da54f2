/// How much a client may ask of an ``HTTPServer``.
package struct HTTPLimits: Sendable, Hashable {
  /// Bytes of a request line and its headers.
  var headBytes = 16 << 10
  /// Bytes of one body.
  package var bodyBytes = 64 << 20
  /// Bytes that all bodies in progress and all answers may have together, but for those of ``reservedBytes``.
  package var bodyBytesTogether = 256 << 20
  /// Bytes that bodies of at most ``smallBytes`` may have together beside all others.
  var reservedBytes = 8 << 20
  /// Bytes of a small body.
  var smallBytes = 1 << 20
  /// Connections at once. One more takes the place of one that is slow; if none is, it is answered with 503.
  package var connections = 64
  /// Connections that are kept for requests with small bodies.
  var reservedConnections: Int { min(4, connections / 16) }
  /// Requests with work at once, those that wait for a processor included; one more is answered with 503.
  package var requests = 8
  /// Time that a request's head may take, and that a connection may rest between two requests.
  var headTime = Duration.seconds(10)
  /// Time that a body or an answer may take at any rate, as long as nobody needs its room.
  var patience = Duration.seconds(300)
  /// Time that an answer may take to compute.
  package var workTime = Duration.seconds(60)
  /// Bytes per second that a client sends or takes, at least, so that others give way first and that ``patience`` does not end it.
  var slowestRate = 64 << 10

  package init() {}

  /// The moment until which more of a body or an answer must go over, given the bytes that have since its beginning.
  func end(after bytes: Int, since start: ContinuousClock.Instant) -> ContinuousClock.Instant {
    start + max(patience, .milliseconds(bytes / max(slowestRate / 1000, 1)))
  }
}
