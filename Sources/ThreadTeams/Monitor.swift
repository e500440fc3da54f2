#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A value behind a mutex, and a condition that threads wait for.
///
/// Every change wakes all waiting threads, which look at the value again.
package final class Monitor<State: Sendable>: Sendable {
  // POSIX requires stable addresses of both. `state` is accessed under the mutex only.
  nonisolated(unsafe) private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(
    capacity: 1)
  nonisolated(unsafe) private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(
    capacity: 1)
  nonisolated(unsafe) private var state: State

  package init(_ state: State) {
    self.state = state
    let status = pthread_mutex_init(mutex, nil) | pthread_cond_init(condition, nil)
    precondition(status == 0, "no mutex or no condition: error \(status)")
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  /// Changes the state and wakes the threads that wait for it.
  package func withLock<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
    pthread_mutex_lock(mutex)
    defer {
      pthread_cond_broadcast(condition)
      pthread_mutex_unlock(mutex)
    }
    return try body(&state)
  }

  /// Waits until `attempt` gives a result; it is called again after every change of the state.
  package func wait<Result>(_ attempt: (inout State) -> Result?) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let result = attempt(&state) {
        pthread_cond_broadcast(condition)
        return result
      }
      pthread_cond_wait(condition, mutex)
    }
  }

  /// Like ``wait(_:)``, but gives up after a time.
  ///
  /// - Returns: `nil` when the time is over.
  package func wait<Result>(
    upTo time: Duration, _ attempt: (inout State) -> Result?
  ) -> Result? {
    let (seconds, attoseconds) = max(time, .zero).components
    var end = timespec()
    clock_gettime(CLOCK_REALTIME, &end)
    let nanoseconds = end.tv_nsec + Int(attoseconds / 1_000_000_000)
    end.tv_sec += Int(seconds) + nanoseconds / 1_000_000_000
    end.tv_nsec = nanoseconds % 1_000_000_000
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let result = attempt(&state) {
        pthread_cond_broadcast(condition)
        return result
      }
      if pthread_cond_timedwait(condition, mutex, &end) == ETIMEDOUT { return attempt(&state) }
    }
  }
}

/// A thread beside those of the teams, for work that waits: for a pipe, for a camera.
package enum OwnThread {
  /// Starts a detached thread with all signals blocked.
  ///
  /// - Returns: `false` when the system gives no further thread.
  package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    HelperThreads.startThread(body)
  }
}
