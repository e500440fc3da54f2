import SystemEssentials

/// A value that threads update under a lock, with the ability to wait for changes.
///
/// Every update wakes all waiting threads, which then check the value again.
///
/// Code that a child of `fork` may call uses monitors instead of `Mutex`. A `Mutex` stores the thread identifier, which
/// changes in the child's first thread; unlocking a contended mutex then ends the process.
package final class Monitor<State: Sendable>: Sendable {
  private let condition = Condition()
  /// Accessed only while the condition is locked.
  nonisolated(unsafe) private var state: State

  package init(_ state: State) { unsafe self.state = state }

  /// Reads the value, without waking threads.
  package func read<Result>(_ body: (State) throws -> Result) rethrows -> Result {
    try condition.locked { try unsafe body(state) }
  }

  /// Updates the value and wakes all waiting threads.
  package func update<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
    try condition.locked {
      defer { condition.wakeAll() }
      return try unsafe body(&state)
    }
  }

  /// Sleeps until `attempt`, called again after every update, returns a result.
  package func wait<Result>(
    until attempt: (inout State) throws -> Result?
  ) rethrows -> Result {
    try condition.locked {
      while true {
        if let result = try unsafe attempt(&state) {
          condition.wakeAll()
          return result
        }
        condition.wait()
      }
    }
  }

  /// Like ``wait(until:)``, but with a timeout on the monotonic clock.
  ///
  /// - Returns: `nil` after the timeout.
  package func wait<Result>(
    upTo time: Duration, until attempt: (inout State) throws -> Result?
  ) rethrows -> Result? {
    let end = timespec(in: time)
    return try condition.locked {
      while true {
        if let result = try unsafe attempt(&state) {
          condition.wakeAll()
          return result
        }
        if !condition.wait(until: end) { return try unsafe attempt(&state) }
      }
    }
  }
}

/// A POSIX mutex with a condition variable.
@safe final class Condition: Sendable {
  // POSIX requires stable addresses for mutexes and conditions.
  nonisolated(unsafe) private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(
    capacity: 1)
  nonisolated(unsafe) private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(
    capacity: 1)

  init() {
    var attributes = pthread_condattr_t()
    unsafe pthread_condattr_init(&attributes)
    defer { unsafe pthread_condattr_destroy(&attributes) }
    var status = unsafe pthread_mutex_init(mutex, nil)
    #if !canImport(Darwin)
      // The default clock may be set while a thread waits.
      status |= unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    #endif
    status |= unsafe pthread_cond_init(condition, &attributes)
    precondition(status == 0, "no mutex or no condition: error \(status)")
  }

  deinit {
    unsafe pthread_cond_destroy(condition)
    unsafe pthread_mutex_destroy(mutex)
    unsafe condition.deallocate()
    unsafe mutex.deallocate()
  }

  func locked<Result>(_ body: () throws -> Result) rethrows -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return try body()
  }

  /// Waits for a wake-up, possibly a spurious wake-up. Must be called inside ``locked(_:)``.
  func wait() { unsafe pthread_cond_wait(condition, mutex) }

  /// Like ``wait()``, but no longer than until `end` on the monotonic clock.
  ///
  /// - Returns: `false` after `end`.
  func wait(until end: timespec) -> Bool {
    #if canImport(Darwin)
      var left = end.timeLeft
      return unsafe pthread_cond_timedwait_relative_np(condition, mutex, &left) != ETIMEDOUT
    #else
      var end = end
      return unsafe pthread_cond_timedwait(condition, mutex, &end) != ETIMEDOUT
    #endif
  }

  func wakeOne() { unsafe pthread_cond_signal(condition) }

  func wakeAll() { unsafe pthread_cond_broadcast(condition) }
}

extension timespec {
  /// The time of the monotonic clock after this duration.
  init(in time: Duration) {
    let (seconds, attoseconds) = max(time, .zero).components
    self.init()
    unsafe clock_gettime(CLOCK_MONOTONIC, &self)
    let nanoseconds = tv_nsec + Int(attoseconds / 1_000_000_000)
    tv_sec += Int(seconds) + nanoseconds / 1_000_000_000
    tv_nsec = nanoseconds % 1_000_000_000
  }

  #if canImport(Darwin)
    /// Time left until this time of the monotonic clock; zero if it has passed.
    fileprivate var timeLeft: timespec {
      let now = timespec(in: .zero)
      let left = (tv_sec - now.tv_sec) * 1_000_000_000 + tv_nsec - now.tv_nsec
      return timespec(
        tv_sec: max(left, 0) / 1_000_000_000, tv_nsec: max(left, 0) % 1_000_000_000)
    }
  #endif
}
