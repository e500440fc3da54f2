import DepthBase

extension DepthEstimator {
  /// Runs work that blocks, such as decoding or writing a file, on a thread of this package instead of
  /// one of Swift's cooperative threads.
  ///
  ///     let photo = try await estimator.withoutBlocking { try Image(contentsOf: url) }
  ///
  /// At most one call per processor runs at a time, counted together with the `async` calls of this package, which use the same threads.
  /// Further calls wait without blocking a thread; this one goes before estimates that wait, so that a finished result is written before
  /// the next one is computed.
  ///
  /// - Parameter work: The work, which is not interrupted after it has begun.
  /// - Returns: The value that `work` returns.
  /// - Throws: `CancellationError` if the task is cancelled before `work` begins, and every error that `work` throws.
  public func withoutBlocking<Value: Sendable>(
    _ work: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await CallQueue.shared.run(threads: 1, isShort: true) { _ in try work() }
  }
}
