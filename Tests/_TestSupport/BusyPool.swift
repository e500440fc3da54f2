import Foundation
import Synchronization
import SystemEssentials

/// Keeps every thread of Swift's cooperative pool busy until the process ends, as an application
/// may. Returns once no further task would begin. For exit tests.
///
/// - Parameter work: Runs on a separate thread. Then the process ends with success, or with failure
///   if the work throws or takes five minutes.
package func withBusyPool(_ work: @escaping @Sendable () throws -> Void) async {
  alarm(300)
  let begun = Begun()
  for _ in 0..<4 * ProcessInfo.processInfo.activeProcessorCount {
    Task {
      begun.count.add(1, ordering: .relaxed)
      while true { sched_yield() }
    }
  }
  Thread {
    // All of these tasks enter the pool's queue before later tasks.
    while begun.count.load(ordering: .relaxed) == 0 { sched_yield() }
    do {
      try work()
      exit(EXIT_SUCCESS)
    } catch {
      print(error)
      exit(EXIT_FAILURE)
    }
  }.start()
  // The caller occupies a thread of the pool, too: with one processor, the only thread.
  begun.count.add(1, ordering: .relaxed)
  while true { sched_yield() }
}

/// The number of tasks that have begun.
private final class Begun: Sendable {
  let count = Atomic<Int>(0)
}
