import ProcessLimits
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Idle threads that join teams within microseconds.
///
/// Help is not guaranteed: where the system starts no further thread (`ulimit -u`, the process
/// limit of a container), the caller does the work itself. Jobs are never queued, so none can wait
/// forever.
package final class HelperThreads: Sendable {
  /// The work of one helper.
  typealias Job = @Sendable () -> Void
  /// Starts a thread that runs `body`; returns `false` when the system refuses.
  typealias Starter = @Sendable (_ body: @escaping Job) -> Bool

  /// The helper threads of this process.
  static let shared = HelperThreads(start: startThread)

  private struct State {
    /// Numbers of threads that have been started, and of those that are idle.
    var (started, idle) = (0, 0)
    /// Jobs for idle threads that have not woken up yet; never more than `idle`.
    var handedOver: [Job] = []
  }

  private let state = Mutex(State())
  private let wakeUps = Semaphore()
  private let start: Starter

  init(start: @escaping Starter) { self.start = start }

  /// Asks up to `count` threads to run `job`.
  ///
  /// Idle threads come first. New ones are started up to the number of processors, or up to `count`
  /// if that is more.
  ///
  /// - Returns: How many will run it.
  @discardableResult
  func ask(_ count: Int, toRun job: @escaping Job) -> Int {
    for index in 0..<count {
      let starts = state.withLock { state -> Bool? in
        if state.handedOver.count < state.idle {
          state.handedOver.append(job)
          return false
        }
        guard state.started < max(availableProcessors - 1, count) else { return nil }
        state.started += 1
        return true
      }
      guard let starts else { return index }
      guard starts else {
        wakeUps.signal()
        continue
      }
      guard start({ [self] in serve(first: job) }) else {
        state.withLock { $0.started -= 1 }
        return index
      }
    }
    return max(count, 0)
  }

  /// The loop of a helper thread.
  private func serve(first job: @escaping Job) {
    job()
    while true {
      state.withLock { $0.idle += 1 }
      wakeUps.wait()
      let next = state.withLock { state -> Job? in
        state.idle -= 1
        return state.handedOver.popLast()
      }
      next?()
    }
  }

  /// Starts a detached thread with all signals blocked, so that the program's own threads handle
  /// them.
  static func startThread(_ body: @escaping Job) -> Bool {
    var (all, before) = (sigset_t(), sigset_t())
    sigfillset(&all)
    guard pthread_sigmask(SIG_SETMASK, &all, &before) == 0 else { return false }
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    let box = Unmanaged.passRetained(Box(body))
    #if canImport(Darwin)
      var thread: pthread_t?
      let status = pthread_create(
        &thread, nil, { Unmanaged<Box>.fromOpaque($0).takeRetainedValue().run() }, box.toOpaque())
      if status == 0, let thread { pthread_detach(thread) }
    #else
      var thread = pthread_t()
      let status = pthread_create(
        &thread, nil, { Unmanaged<Box>.fromOpaque($0!).takeRetainedValue().run() }, box.toOpaque())
      if status == 0 { pthread_detach(thread) }
    #endif
    if status != 0 { box.release() }
    return status == 0
  }

  /// Passes a job through a C pointer.
  private final class Box: Sendable {
    private let body: Job
    init(_ body: @escaping Job) { self.body = body }

    func run() -> UnsafeMutableRawPointer? {
      body()
      return nil
    }
  }
}

/// A counting semaphore.
private final class Semaphore: Sendable {
  // POSIX requires stable addresses of both. `count` is accessed under the mutex only.
  nonisolated(unsafe) private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(
    capacity: 1)
  nonisolated(unsafe) private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(
    capacity: 1)
  nonisolated(unsafe) private var count = 0

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

  func signal() {
    pthread_mutex_lock(mutex)
    count += 1
    pthread_cond_signal(condition)
    pthread_mutex_unlock(mutex)
  }

  func wait() {
    pthread_mutex_lock(mutex)
    while count == 0 { pthread_cond_wait(condition, mutex) }
    count -= 1
    pthread_mutex_unlock(mutex)
  }
}
