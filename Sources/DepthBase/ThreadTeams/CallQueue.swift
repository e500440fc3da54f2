import Synchronization

/// Runs the blocking calls of Swift tasks on threads of its own, first come, first served; short calls before others.
///
/// The threads of Swift's cooperative pool must not block; a network that runs on one of them for
/// tens of milliseconds would hold up every other task. As many calls run at once as there are
/// processors, and they divide the threads among themselves (``ThreadShare``); the others wait
/// without a thread. A call that is cancelled while it waits ends at once.
package final class CallQueue: Sendable {
  /// The queue of this process. Swift's own threads do not survive `fork`, so neither does it.
  package static let shared = CallQueue(workers: availableProcessors)

  private struct State {
    /// Short calls come first.
    var waiting: [Call] = []
    /// Threads that have been started, those that are idle, and signals that no idle one has seen.
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
  ///   - workers: Calls that run at once at most.
  ///   - start: Starts a thread; returns `false` when the system refuses.
  init(workers: Int, start: @escaping HelperThreads.Starter = OwnThread.start) {
    (self.workers, self.start) = (workers, start)
  }

  /// Runs `work` on a thread of the queue.
  ///
  /// - Parameters:
  ///   - threads: Threads that the call may use when it is alone.
  ///   - isShort: Whether the call begins before those that wait and are not short: a result is written before the next
  ///     one is computed.
  ///   - progress: Called with the share done, 0…1, from any thread.
  ///   - work: Calls ``CallContext/checkpoint(_:)`` now and then.
  /// - Throws: `CancellationError` when the task is cancelled before or while `work` runs, and
  ///   whatever `work` throws.
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
            // Before the caller goes on, so that its next call does not count this one.
            HelperThreads.shared.activeCalls.subtract(1, ordering: .relaxed)
            continuation.resume(with: result)
          })
      }
    } onCancel: {
      cancellation.cancel()
      endCancelledCalls()
    }
  }

  /// Calls that wait for a thread.
  var waitingCount: Int { state.read { $0.waiting.count } }

  private func enqueue(_ call: Call) {
    HelperThreads.shared.activeCalls.add(1, ordering: .relaxed)
    let step = state.update { state -> Step in
      // A cancellation after this check finds the call in the list.
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
      // Without any thread of its own the queue borrows the caller's.
      while isAlone, let next = nextCall() { run(next) }
    }
  }

  /// The loop of a thread.
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

  /// The first call that waits; with `orRest`, the thread counts as idle when there is none.
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
