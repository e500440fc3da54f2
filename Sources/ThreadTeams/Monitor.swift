#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A value that threads change under a lock, and whose changes they can sleep for.
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

  /// Changes the value and wakes all who wait for it.
  package func update<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
    pthread_mutex_lock(mutex)
    defer {
      pthread_cond_broadcast(condition)
      pthread_mutex_unlock(mutex)
    }
    return try body(&state)
  }

  /// Sleeps until `body`, called again after every change, gives a result.
  package func wait<Result>(
    until body: (inout State) throws -> Result?
  ) rethrows -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let result = try body(&state) { return result }
      pthread_cond_wait(condition, mutex)
    }
  }

  /// Sleeps until the condition holds, at most so many milliseconds.
  ///
  /// - Returns: Whether it holds.
  package func wait(milliseconds: Int, until condition: (State) -> Bool) -> Bool {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    let end = Int(now.tv_nsec) + milliseconds * 1_000_000
    var deadline = timespec(tv_sec: now.tv_sec + end / 1_000_000_000, tv_nsec: end % 1_000_000_000)
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while !condition(state) {
      guard pthread_cond_timedwait(self.condition, mutex, &deadline) == 0 else {
        return condition(state)
      }
    }
    return true
  }
}
