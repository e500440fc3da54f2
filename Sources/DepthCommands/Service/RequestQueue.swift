import DepthBase

/// A first-come, first-served queue of requests that limits the number of requests in progress.
final class RequestQueue: Sendable {
  private struct State {
    var free: Int
    /// The ticket of the next thread.
    var next = 0
    /// Tickets of waiting threads.
    var waiting: ArraySlice<Int> = []
  }

  private let state: Monitor<State>

  init(_ count: Int) { state = Monitor(State(free: count)) }

  /// Number of waiting threads.
  var waitingCount: Int { state.read { $0.waiting.count } }

  /// Waits for the caller's turn and runs the work.
  ///
  /// - Throws: `CancellationError` if cancelled before its turn; any error of `work`.
  func run<Value>(cancellation: Cancellation, _ work: () throws -> Value) throws -> Value {
    let number = state.update { state in
      defer { state.next += 1 }
      state.waiting.append(state.next)
      return state.next
    }
    do {
      // A disconnecting client does not wake its thread, so waiting threads poll every 100 ms.
      while state.wait(
        upTo: .milliseconds(100),
        until: { state -> Bool? in
          guard state.free > 0, state.waiting.first == number else { return nil }
          state.waiting.removeFirst()
          state.free -= 1
          return true
        }) == nil
      { try cancellation.check() }
    } catch {
      state.update { $0.waiting.removeAll { $0 == number } }
      throw error
    }
    defer { state.update { $0.free += 1 } }
    try cancellation.check()
    return try work()
  }
}
