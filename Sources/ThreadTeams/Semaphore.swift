#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A POSIX mutex with a condition variable.
final class Condition: Sendable {
  // POSIX requires stable addresses of both.
  nonisolated(unsafe) private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(
    capacity: 1)
  nonisolated(unsafe) private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(
    capacity: 1)

  init() {
    let status = pthread_mutex_init(mutex, nil) | pthread_cond_init(condition, nil)
    precondition(status == 0, "no mutex or no condition: error \(status)")
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  func locked<Result>(_ body: () -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body()
  }

  /// Waits for a wake-up, or returns without one; only inside ``locked(_:)``.
  func wait() { pthread_cond_wait(condition, mutex) }

  func wakeOne() { pthread_cond_signal(condition) }

  func wakeAll() { pthread_cond_broadcast(condition) }
}

/// A counting semaphore.
final class Semaphore: Sendable {
  private let condition = Condition()
  /// Accessed only while the condition is locked.
  nonisolated(unsafe) private var count = 0

  func signal() {
    condition.locked {
      count += 1
      condition.wakeOne()
    }
  }

  func wait() {
    condition.locked {
      while count == 0 { condition.wait() }
      count -= 1
    }
  }
}
