import Foundation

/// Runs blocking work on a thread of its own, so that it does not keep one of Swift's few cooperative threads, on
/// which other tests and the tasks that it waits for have to run.
package func offPool<Result: Sendable>(
  _ work: @escaping @Sendable () throws -> Result
) async throws -> Result {
  try await withCheckedThrowingContinuation { continuation in
    Thread { continuation.resume(with: Swift.Result { try work() }) }.start()
  }
}
