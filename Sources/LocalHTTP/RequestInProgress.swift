import Synchronization

/// The request that a connection serves, and the answer so far.
final class RequestInProgress: Sendable {
  private struct State {
    var start: ContinuousClock.Instant?
    var head: HTTPRequestHead?
    var status: HTTPStatus?
    var bytes = 0
  }

  private let state = Mutex(State())

  var head: HTTPRequestHead? { state.withLock { $0.head } }

  /// The first byte has come.
  func begin() { state.withLock { $0.start = $0.start ?? .now } }

  func know(_ head: HTTPRequestHead) { state.withLock { $0.head = head } }

  func answer(_ status: HTTPStatus) { state.withLock { $0.status = status } }

  func send(_ bytes: Int) { state.withLock { $0.bytes += bytes } }

  /// Ends this request and begins the next.
  ///
  /// - Returns: The record of this one; `nil` if none has begun.
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
