#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A POSIX mutex with a condition variable.
@safe final class Condition: Sendable {
  // POSIX requires stable addresses of both.
  nonisolated(unsafe) private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(
    capacity: 1)
  nonisolated(unsafe) private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(
    capacity: 1)

  init() {
    let status = unsafe pthread_mutex_init(mutex, nil) | pthread_cond_init(condition, nil)
    precondition(status == 0, "no mutex or no condition: error \(status)")
  }

  deinit {
    unsafe pthread_cond_destroy(condition)
    unsafe pthread_mutex_destroy(mutex)
    unsafe condition.deallocate()
    unsafe mutex.deallocate()
  }

  func locked<Result>(_ body: () -> Result) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return body()
  }

  /// Waits for a wake-up, or returns without one; only inside ``locked(_:)``.
  func wait() { unsafe pthread_cond_wait(condition, mutex) }

  func wakeOne() { unsafe pthread_cond_signal(condition) }

  func wakeAll() { unsafe pthread_cond_broadcast(condition) }
}

/// A counting semaphore.
final class Semaphore: Sendable {
  private let condition = Condition()
  /// Accessed only while the condition is locked.
  nonisolated(unsafe) private var count = 0

  func signal() {
    condition.locked {
      unsafe count += 1
      condition.wakeOne()
    }
  }

  func wait() {
    condition.locked {
      while unsafe count == 0 { condition.wait() }
      unsafe count -= 1
    }
  }
}
