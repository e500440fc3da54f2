import DepthBase

/// The part of a connection that an exchange uses.
protocol ExchangeConnection: Sendable {
  var isStopping: Bool { get }
  /// Time that an answer may take to compute.
  var workTime: Duration { get }
  /// Looks at the client without waiting.
  var presence: Connection.Presence { get }
  func write(_ bytes: [UInt8]) throws(ConnectionFailure)
  /// Writes a part of an answer's body.
  func writeBody(_ bytes: [UInt8]) throws(ConnectionFailure)
  /// The head of the answer to the request in progress.
  func head(of response: HTTPResponse, length: Int?, keepsAlive: Bool) -> [UInt8]
  /// Sends an interim answer.
  func askForBody() throws(ConnectionFailure)
}

extension ExchangeConnection {
  func writeBody(_ bytes: [UInt8]) throws(ConnectionFailure) { try write(bytes) }

  func head(of response: HTTPResponse, length: Int?, keepsAlive: Bool) -> [UInt8] {
    response.head(length: length, keepsAlive: keepsAlive)
  }
}

/// One request in progress, on its connection's thread: what its handler has sent so far, and whether anybody still
/// waits for the answer.
package final class HTTPExchange: Sendable {
  typealias Moment = ContinuousClock.Instant

  /// Why nobody waits any more.
  enum End {
    case gone, late, stopping
  }

  private struct State {
    var body: [UInt8]
    var isStreaming = false
    var end: End?
    var nextQuestion = Moment.now
  }

  package let head: HTTPRequestHead
  private let connection: any ExchangeConnection
  private let deadline: Moment
  private let state: Monitor<State>

  init(_ request: HTTPRequest, on connection: any ExchangeConnection) {
    (head, self.connection) = (request.head, connection)
    deadline = .now + connection.workTime
    state = Monitor(State(body: request.body))
  }

  /// The request's body, which the caller has alone from then on, so that it is in memory once.
  package func takeBody() -> [UInt8] {
    state.update { state in
      defer { state.body = [] }
      return state.body
    }
  }

  /// Sends a part of the body before the answer is complete, which then has status 200.
  ///
  /// - Parameter type: The media type of the whole body.
  package func send(_ part: [UInt8], type: String) {
    state.update { state in
      guard state.end == nil else { return }
      do throws(ConnectionFailure) {
        if !state.isStreaming {
          try connection.write(
            connection.head(of: HTTPResponse(type: type, []), length: nil, keepsAlive: false))
          state.isStreaming = true
        }
        try connection.writeBody(part)
      } catch { state.end = .gone }
    }
  }

  /// Whether the client has left, its time is over or the server stops. Work asks between its steps, on any thread.
  package var isOver: Bool {
    state.update { state in
      state.end = state.end ?? end(&state)
      return state.end != nil
    }
  }

  private func end(_ state: inout State) -> End? {
    if connection.isStopping { return .stopping }
    if Moment.now >= deadline { return .late }
    switch connection.presence {
    case .there: return nil
    case .gone: return .gone
    case .silent:
      // It has sent all that it will send, and may have left: if so, its side refuses this.
      guard Moment.now >= state.nextQuestion, !state.isStreaming,
        head.takesInterimAnswers
      else { return nil }
      state.nextQuestion = .now + .seconds(2)
      return (try? connection.askForBody()) == nil ? .gone : nil
    }
  }

  /// The outcome of the exchange: whether its body has begun, and its end where nobody waits.
  var outcome: (isStreaming: Bool, end: End?) { state.read { ($0.isStreaming, $0.end) } }
}

/// A request whose head has been read: all but its body.
package struct HTTPRequestHead: Sendable, Equatable {
  package let method: String
  /// The decoded path, `/v1/depth`.
  package let path: String
  /// The decoded parameters behind `?`, in their order.
  package let query: [Parameter]
  /// Names in lower case.
  package let headers: [String: String]
  /// Whether the connection may take a further request.
  package let keepsAlive: Bool
  /// Whether the client understands interim answers, such as 100; clients of HTTP/1.0 do not.
  let takesInterimAnswers: Bool

  /// `name=value`.
  package struct Parameter: Sendable, Equatable {
    package let name, value: String
  }

  /// The value of a parameter; the first one if it is repeated.
  package func parameter(_ name: String) -> String? { query.first { $0.name == name }?.value }
}

/// A request with its body.
package struct HTTPRequest: Sendable {
  package let head: HTTPRequestHead
  package let body: [UInt8]

  package init(head: HTTPRequestHead, body: [UInt8]) { (self.head, self.body) = (head, body) }
}

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
