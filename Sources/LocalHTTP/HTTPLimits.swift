/// Limits on the clients of an ``HTTPServer``.
package struct HTTPLimits: Sendable, Hashable {
  /// Maximum bytes of a request line and its headers.
  var headBytes = 16 << 10
  /// Maximum bytes of one body.
  package var bodyBytes = 64 << 20
  /// Maximum bytes of all bodies in progress and all responses, without ``reservedBytes``.
  package var bodyBytesTogether = 256 << 20
  /// Additional bytes, reserved for bodies of at most ``smallBytes``.
  var reservedBytes = 8 << 20
  /// Maximum bytes of a small body.
  var smallBytes = 1 << 20
  /// Maximum number of connections. A further connection replaces a slow connection, or is rejected with 503 if
  /// no connection is slow.
  package var connections = 64
  /// Connections reserved for requests with small bodies.
  var reservedConnections: Int { min(4, connections / 16) }
  /// Maximum number of admitted work requests, including queued requests. A further request is rejected with
  /// 503.
  package var requests = 8
  /// Maximum time for receiving a request's head, and maximum idle time between two requests.
  var headTime = Duration.seconds(10)
  /// Time allowed for a body or a response at any rate, unless other requests need the resources.
  var patience = Duration.seconds(300)
  /// Maximum duration of the work on a response.
  package var workTime = Duration.seconds(60)
  /// Bytes per second from which a client is exempt from ``patience`` and evicted last.
  var slowestRate = 64 << 10

  package init() {}

  /// The deadline for further bytes of a body or response, given the bytes transferred so far.
  func end(after bytes: Int, since start: ContinuousClock.Instant) -> ContinuousClock.Instant {
    start + max(patience, .milliseconds(bytes / max(slowestRate / 1000, 1)))
  }
}
