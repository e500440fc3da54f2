import DepthBase

/// The connection as an exchange uses it.
protocol ExchangeConnection: Sendable {
  var isStopping: Bool { get }
  /// Maximum duration of the work on a response.
  var workTime: Duration { get }
  /// The presence of the client, checked without waiting.
  var presence: Connection.Presence { get }
  func write(_ bytes: [UInt8]) throws(ConnectionFailure)
  /// Writes a part of a response's body.
  func writeBody(_ bytes: [UInt8]) throws(ConnectionFailure)
  /// The head of the response to the current request.
  func head(of response: HTTPResponse, length: Int?, keepsAlive: Bool) -> [UInt8]
  /// Sends the interim response 100, which asks the client for the body.
  func askForBody() throws(ConnectionFailure)
}

extension ExchangeConnection {
  func writeBody(_ bytes: [UInt8]) throws(ConnectionFailure) { try write(bytes) }

  func head(of response: HTTPResponse, length: Int?, keepsAlive: Bool) -> [UInt8] {
    response.head(length: length, keepsAlive: keepsAlive)
  }
}

/// A request in progress on its connection's thread, with the sent parts of the response and the state of the
/// client.
package final class HTTPExchange: Sendable {
  typealias Moment = ContinuousClock.Instant

  /// A reason why the response is no longer needed.
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

  /// Moves the request's body to the caller without a second copy in memory.
  package func takeBody() -> [UInt8] {
    state.update { state in
      defer { state.body = [] }
      return state.body
    }
  }

  /// Sends a part of the body before the response is complete, which sets the status to 200.
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

  /// Whether the client has disconnected, the time is over, or the server stops. Work polls this on any thread.
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
      // The client has closed its sending side, and perhaps the connection. An interim response fails if the
      // connection is closed.
      guard Moment.now >= state.nextQuestion, !state.isStreaming,
        head.takesInterimAnswers
      else { return nil }
      state.nextQuestion = .now + .seconds(2)
      return (try? connection.askForBody()) == nil ? .gone : nil
    }
  }

  /// The outcome of the exchange: whether the body has begun, and the reason for an early end.
  var outcome: (isStreaming: Bool, end: End?) { state.read { ($0.isStreaming, $0.end) } }
}
