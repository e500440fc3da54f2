/// How much a client may ask of an ``HTTPServer``.
package struct HTTPLimits: Sendable, Hashable {
  /// Bytes of a request line and its headers.
  package var headBytes = 16 << 10
  /// Bytes of one body.
  package var bodyBytes = 64 << 20
  /// Bytes that all bodies in progress may have together.
  package var bodyBytesTogether = 256 << 20
  /// Connections at once. One more closes a connection that carries no request; if all carry one, it is answered with 503.
  package var connections = 64
  /// Requests with work at once, those that wait for a processor included; one more is answered with 503.
  package var requests = 8
  /// Time that a request's head may take, and that a connection may rest between two requests.
  package var headTime = Duration.seconds(10)
  /// Time that a body may take.
  package var bodyTime = Duration.seconds(30)
  /// Time that an answer may take to compute.
  package var workTime = Duration.seconds(60)
  /// Bytes per second that a client takes at least.
  package var slowestRate = 64 << 10

  package init() {}

  /// Time that writing so many bytes may take.
  func writeTime(of bytes: Int) -> Duration { .seconds(10) + .seconds(bytes / slowestRate) }
}
