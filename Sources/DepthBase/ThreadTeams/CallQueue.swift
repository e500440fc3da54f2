import Synchronization

/// A queue that runs blocking calls of Swift tasks on its own threads, in order of arrival, but short calls first.
///
/// Threads of Swift's cooperative pool must not block: a network that runs there for tens of milliseconds would delay all
/// other tasks. At most one call per processor runs at once, and running calls share the threads (``ThreadShare``). Other
/// calls wait without a thread. A waiting call ends immediately when it is cancelled.
package final class CallQueue: Sendable {
  /// The queue of this process. Like Swift's own threads, the queue does not survive `fork`.
  package static let shared = CallQueue(workers: availableProcessors)

  private struct State {
    /// Waiting calls, short calls first.
    var waiting: [Call] = []
    /// Numbers of started threads, idle threads, and signals that no idle thread has received.
    var (started, idle, signals) = (0, 0, 0)
  }

  private struct Call: Sendable {
    let context: CallContext
    let cancellation: Cancellation
    let isShort: Bool
    /// Does the work unless the call is cancelled; must run exactly once.
    let work: @Sendable (CallContext) -> Void
  }

  private enum Step { case wake, start, none, end }

  private let workers: Int
  private let start: HelperThreads.Starter
  private let state = Monitor(State())
  private let wakeUps = Semaphore()

  /// - Parameters:
  ///   - workers: Maximum number of concurrent calls.
  ///   - start: Starts a thread; returns `false` if the system refuses.
  init(workers: Int, start: @escaping HelperThreads.Starter = OwnThread.start) {
    (self.workers, self.start) = (workers, start)
  }

  /// Runs `work` on a thread of the queue.
  ///
  /// - Parameters:
  ///   - threads: Threads that the call may use if no other call runs.
  ///   - isShort: Whether the call is short, such as writing a result, and precedes waiting calls that are not short.
  ///   - progress: Called with the completed share, 0…1, from any thread.
  ///   - work: Must call ``CallContext/checkpoint(_:)`` regularly.
  /// - Throws: `CancellationError` if the task is cancelled before or while `work` runs; any error of `work`.
  package func run<Value: Sendable>(
    threads: Int, isShort: Bool = false, progress: (@Sendable (Double) -> Void)? = nil,
    _ work: @escaping @Sendable (CallContext) throws -> Value
  ) async throws -> Value {
    let cancellation = Cancellation()
    let context = CallContext(threads: threads, cancellation: cancellation, progress: progress)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        enqueue(
          Call(context: context, cancellation: cancellation, isShort: isShort) { context in
            let result = Result {
              try cancellation.check()
              return try work(context)
            }
            // The count decreases before the caller continues, so the caller's next call does not count this call.
            HelperThreads.shared.activeCalls.subtract(1, ordering: .relaxed)
            continuation.resume(with: result)
          })
      }
    } onCancel: {
      cancellation.cancel()
      endCancelledCalls()
    }
  }

  /// Number of calls that wait for a thread.
  var waitingCount: Int { state.read { $0.waiting.count } }

  private func enqueue(_ call: Call) {
    HelperThreads.shared.activeCalls.add(1, ordering: .relaxed)
    let step = state.update { state -> Step in
      // A cancellation after this check finds the call in the queue.
      if call.cancellation.isCancelled { return .end }
      let place = call.isShort ? state.waiting.firstIndex { !$0.isShort } : nil
      state.waiting.insert(call, at: place ?? state.waiting.endIndex)
      if state.signals < state.idle {
        state.signals += 1
        return .wake
      }
      guard state.started < workers else { return .none }
      state.started += 1
      return .start
    }
    switch step {
    case .wake: wakeUps.signal()
    case .none: break
    case .end: call.work(call.context)
    case .start:
      if start({ [self] in serve() }) { return }
      let isAlone = state.update { state in
        state.started -= 1
        return state.started == 0
      }
      // A queue without threads runs its calls on the caller's thread.
      while isAlone, let next = nextCall() { run(next) }
    }
  }

  /// The main loop of a thread.
  private func serve() {
    while true {
      while let call = nextCall(orRest: true) { run(call) }
      wakeUps.wait()
      state.update { state in
        state.idle -= 1
        state.signals -= 1
      }
    }
  }

  /// The first waiting call. With `orRest`, the thread becomes idle if no call waits.
  private func nextCall(orRest: Bool = false) -> Call? {
    state.update { state in
      guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
      if orRest { state.idle += 1 }
      return nil
    }
  }

  private func run(_ call: Call) {
    let calls = HelperThreads.shared.activeCalls.load(ordering: .relaxed)
    call.work(
      call.context.using(threads: ThreadShare.part(of: call.context.threads, calls: calls)))
  }

  private func endCancelledCalls() {
    let ended = state.update { state -> [Call] in
      let ended = state.waiting.filter(\.cancellation.isCancelled)
      state.waiting.removeAll(where: \.cancellation.isCancelled)
      return ended
    }
    for call in ended { call.work(call.context) }
  }
}
