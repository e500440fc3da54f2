import Dispatch
import Foundation
import Synchronization
package import Testing

/// Runs blocking work on a thread of its own, so that it does not keep one of Swift's few cooperative threads, on
/// which other tests and the tasks that it waits for have to run.
package func offPool<Result: Sendable>(
  _ work: @escaping @Sendable () throws -> Result
) async throws -> Result {
  try await withCheckedThrowingContinuation { continuation in
    Thread { continuation.resume(with: Swift.Result { try work() }) }.start()
  }
}

/// Runs the tests of a suite on threads beside Swift's cooperative ones, as many at once as there are processors.
///
/// Swift Testing runs tests on the cooperative threads, and a test that computes or waits there holds up all tasks
/// of the process. Every suite has this trait, except those whose tests are `async` to their last call.
package struct OffPool: SuiteTrait, TestTrait, TestScoping {
  package var isRecursive: Bool { true }

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(TestThreads.shared) { try await function() }
  }
}

extension Trait where Self == OffPool {
  package static var offPool: Self { OffPool() }
}

/// Threads for tests, first come, first served.
private final class TestThreads: TaskExecutor {
  static let shared = TestThreads()

  private let line = JobLine()

  private init() {
    for _ in 0..<max(2, ProcessInfo.processInfo.activeProcessorCount) {
      Thread { [self] in
        while true { line.next().runSynchronously(on: asUnownedTaskExecutor()) }
      }.start()
    }
  }

  func enqueue(_ job: consuming ExecutorJob) { line.append(UnownedJob(job)) }
}

/// Jobs that wait for a thread.
private final class JobLine: Sendable {
  private let jobs = Mutex<ArraySlice<UnownedJob>>([])
  private let arrivals = DispatchSemaphore(value: 0)

  func append(_ job: UnownedJob) {
    jobs.withLock { $0.append(job) }
    arrivals.signal()
  }

  func next() -> UnownedJob {
    while true {
      arrivals.wait()
      if let job = jobs.withLock({ $0.popFirst() }) { return job }
    }
  }
}
