import DepthBase

extension DepthEstimator {
  /// Runs blocking work, such as decoding or writing a file, on a thread of this package instead of one of Swift's cooperative
  /// threads.
  ///
  ///     let photo = try await estimator.withoutBlocking { try Image(contentsOf: url) }
  ///
  /// At most one call per processor runs at a time, including the package's `async` calls on the same threads. Further calls
  /// wait without blocking a thread. This call precedes waiting estimates, so that a finished result is written before the
  /// next estimate begins.
  ///
  /// - Parameter work: The work, which is not interrupted once it has begun.
  /// - Returns: The result of `work`.
  /// - Throws: `CancellationError` if the task is cancelled before `work` begins, and every error of `work`.
  public func withoutBlocking<Value: Sendable>(
    _ work: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await CallQueue.shared.run(threads: 1, isShort: true) { _ in try work() }
  }
}
