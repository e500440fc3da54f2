import DepthBase

/// The requests that wait, of which only some may be worked on at once: first come, first served.
final class RequestQueue: Sendable {
  private struct State {
    var free: Int
    /// The number of the next thread that comes.
    var next = 0
    /// Numbers of those that wait.
    var waiting: ArraySlice<Int> = []
  }

  private let state: Monitor<State>

  init(_ count: Int) { state = Monitor(State(free: count)) }

  /// Number of threads that wait.
  var waitingCount: Int { state.read { $0.waiting.count } }

  /// Waits for a turn and does the work.
  ///
  /// - Throws: `CancellationError` where it is cancelled before its turn has come; what `work` throws.
  func run<Value>(cancellation: Cancellation, _ work: () throws -> Value) throws -> Value {
    let number = state.update { state in
      defer { state.next += 1 }
      state.waiting.append(state.next)
      return state.next
    }
    do {
      // Nobody wakes a thread whose client leaves, so those that wait look for it every 100 ms.
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
