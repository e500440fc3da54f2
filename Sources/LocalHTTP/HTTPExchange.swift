import DepthBase

/// One request in progress, on its connection's thread: what its handler has sent so far, and whether anybody still
/// waits for the answer.
package final class HTTPExchange: Sendable {
  typealias Moment = ContinuousClock.Instant

  /// Why nobody waits any more.
  enum End {
    case gone, late, stopping
  }

  private struct State {
    var isStreaming = false
    var end: End?
    var nextQuestion = Moment.now
  }

  package let request: HTTPRequest
  private let run: ConnectionRun
  private let deadline: Moment
  private let state = Monitor(State())

  init(_ request: HTTPRequest, on run: ConnectionRun) {
    (self.request, self.run) = (request, run)
    deadline = .now + run.limits.workTime
  }

  /// Sends a part of the body before the answer is complete, which then has status 200.
  ///
  /// - Parameter type: The media type of the whole body.
  package func send(_ part: [UInt8], type: String) {
    state.update { state in
      guard state.end == nil else { return }
      do throws(ConnectionFailure) {
        if !state.isStreaming {
          try run.write(HTTPResponse(type: type, []).head(length: nil, keepsAlive: false))
          state.isStreaming = true
        }
        try run.write(part)
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
    if run.isStopping { return .stopping }
    if Moment.now >= deadline { return .late }
    switch run.connection.presence {
    case .there: return nil
    case .gone: return .gone
    case .silent:
      // It has sent all that it will send, and may have left: if so, its side refuses this.
      guard Moment.now >= state.nextQuestion, !state.isStreaming,
        request.head.takesInterimAnswers
      else { return nil }
      state.nextQuestion = .now + .seconds(2)
      return (try? run.askForBody()) == nil ? .gone : nil
    }
  }

  /// What became of the exchange: whether its body has begun, and its end where nobody waits.
  var outcome: (isStreaming: Bool, end: End?) { state.read { ($0.isStreaming, $0.end) } }
}
