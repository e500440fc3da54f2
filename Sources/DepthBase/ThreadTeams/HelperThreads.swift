import CDepthBase
import Synchronization
import SystemEssentials

/// Idle threads that join teams within microseconds.
///
/// If the system starts no further thread (`ulimit -u`, a container's process limit), the caller does the work itself. Jobs
/// are never queued, so no job can wait forever.
package final class HelperThreads: Sendable {
  /// The work of one helper.
  typealias Job = @Sendable () -> Void
  /// Starts a thread that runs `body`; returns `false` if the system refuses.
  typealias Starter = @Sendable (_ body: @escaping Job) -> Bool

  /// Number of `fork` calls between the first process and this process.
  package static var forks: Int { ck_forks() }

  /// The helper threads of this process.
  ///
  /// A child of `fork` has none of its parent's threads, so the child gets new helpers. The parent's helpers are not used in
  /// the child, because one of them may have held the lock during `fork`.
  package static var shared: HelperThreads { shared(afterForks: forks) }

  /// The address of the last helpers from ``shared``, which are never freed; 0 before the first use.
  private static let current = Atomic<UInt>(0)

  /// ``shared`` for a process after `forks` calls of `fork`.
  static func shared(afterForks forks: Int) -> HelperThreads {
    var known = current.load(ordering: .acquiring)
    while true {
      if let address = unsafe UnsafeRawPointer(bitPattern: known) {
        let helpers = unsafe Unmanaged<HelperThreads>.fromOpaque(address).takeUnretainedValue()
        if helpers.forks == forks { return helpers }
      }
      let fresh = unsafe Unmanaged.passRetained(HelperThreads(forks: forks, start: OwnThread.start))
      let (isFirst, seen) = unsafe current.compareExchange(
        expected: known, desired: UInt(bitPattern: fresh.toOpaque()),
        ordering: .acquiringAndReleasing)
      if isFirst { return unsafe fresh.takeUnretainedValue() }
      unsafe fresh.release()
      known = seen
    }
  }

  private struct State {
    /// Numbers of started and of idle threads.
    var (started, idle) = (0, 0)
    /// Jobs for idle threads that have not woken up yet; never more than `idle`.
    var handedOver: [Job] = []
  }

  private let state = Monitor(State())
  private let wakeUps = Semaphore()
  private let start: Starter
  /// The value of `ck_forks` in the process that owns the threads.
  private let forks: Int
  /// Number of calls that share the processors, see ``ThreadShare``.
  let activeCalls = Atomic<Int>(0)

  init(forks: Int = ck_forks(), start: @escaping Starter) {
    (self.forks, self.start) = (forks, start)
  }

  /// Runs `job` on up to `count` threads.
  ///
  /// Idle threads are used first. New threads are started up to the number of processors, or up to `count` if `count` is
  /// larger.
  ///
  /// - Returns: The number of threads that will run the job.
  @discardableResult
  func ask(_ count: Int, toRun job: @escaping Job) -> Int {
    for index in 0..<count {
      let starts = state.update { state -> Bool? in
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
        state.update { $0.started -= 1 }
        return index
      }
    }
    return max(count, 0)
  }

  /// The main loop of a helper thread.
  private func serve(first job: @escaping Job) {
    job()
    while true {
      state.update { $0.idle += 1 }
      wakeUps.wait()
      let next = state.update { state -> Job? in
        state.idle -= 1
        return state.handedOver.popLast()
      }
      next?()
    }
  }
}
