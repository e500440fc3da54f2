#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A value that threads change under a lock, and whose changes they can sleep for.
///
/// Every change wakes all waiting threads, which look at the value again.
@safe package final class Monitor<State: Sendable>: Sendable {
  // POSIX requires stable addresses of both. `state` is accessed under the mutex only.
  nonisolated(unsafe) private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(
    capacity: 1)
  nonisolated(unsafe) private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(
    capacity: 1)
  nonisolated(unsafe) private var state: State

  package init(_ state: State) {
    unsafe self.state = state
    let status = unsafe pthread_mutex_init(mutex, nil) | pthread_cond_init(condition, nil)
    precondition(status == 0, "no mutex or no condition: error \(status)")
  }

  deinit {
    unsafe pthread_cond_destroy(condition)
    unsafe pthread_mutex_destroy(mutex)
    unsafe condition.deallocate()
    unsafe mutex.deallocate()
  }

  /// Changes the value and wakes the threads that wait for it.
  package func update<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer {
      unsafe pthread_cond_broadcast(condition)
      unsafe pthread_mutex_unlock(mutex)
    }
    return try unsafe body(&state)
  }

  /// Sleeps until `attempt`, called again after every change, gives a result.
  package func wait<Result>(
    until attempt: (inout State) throws -> Result?
  ) rethrows -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    while true {
      if let result = try unsafe attempt(&state) {
        unsafe pthread_cond_broadcast(condition)
        return result
      }
      unsafe pthread_cond_wait(condition, mutex)
    }
  }

  /// Like ``wait(until:)``, but gives up after a time.
  ///
  /// - Returns: `nil` when the time is over.
  package func wait<Result>(
    upTo time: Duration, until attempt: (inout State) throws -> Result?
  ) rethrows -> Result? {
    let (seconds, attoseconds) = max(time, .zero).components
    var end = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &end)
    let nanoseconds = end.tv_nsec + Int(attoseconds / 1_000_000_000)
    end.tv_sec += Int(seconds) + nanoseconds / 1_000_000_000
    end.tv_nsec = nanoseconds % 1_000_000_000
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    while true {
      if let result = try unsafe attempt(&state) {
        unsafe pthread_cond_broadcast(condition)
        return result
      }
      if unsafe pthread_cond_timedwait(condition, mutex, &end) == ETIMEDOUT {
        return try unsafe attempt(&state)
      }
    }
  }
}
