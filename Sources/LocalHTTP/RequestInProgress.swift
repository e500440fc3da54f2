import Synchronization

/// The current request of a connection, with its response so far.
final class RequestInProgress: Sendable {
  private struct State {
    var start: ContinuousClock.Instant?
    var head: HTTPRequestHead?
    var status: HTTPStatus?
    var bytes = 0
  }

  private let state = Mutex(State())

  var head: HTTPRequestHead? { state.withLock { $0.head } }

  /// Records the arrival of the first byte.
  func begin() { state.withLock { $0.start = $0.start ?? .now } }

  func know(_ head: HTTPRequestHead) { state.withLock { $0.head = head } }

  func answer(_ status: HTTPStatus) { state.withLock { $0.status = status } }

  func send(_ bytes: Int) { state.withLock { $0.bytes += bytes } }

  /// Ends this request and prepares for the next.
  ///
  /// - Returns: The record of the ended request; `nil` if no request has begun.
  func end(isCut: Bool, address: @autoclosure () -> String) -> HTTPRecord? {
    let ended = state.withLock { state in
      defer { state = State() }
      return state
    }
    guard let start = ended.start else { return nil }
    return HTTPRecord(
      address: address(), request: ended.head.map { "\($0.method) \($0.path)" },
      status: ended.status, bytes: ended.bytes, time: .now - start, isCut: isCut)
  }
}
