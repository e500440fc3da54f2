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
