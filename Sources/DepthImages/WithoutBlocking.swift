import ThreadTeams

/// Runs work that blocks, such as decoding or writing a file, on a thread of this package instead of
/// one of Swift's cooperative pool.
///
///     let photo = try await withoutBlocking { try Image(contentsOf: url) }
///
/// As many calls run at once as there are processors; the others wait without a thread, as do the
/// `async` calls of this package, which use the same threads.
///
/// - Parameter work: Is not interrupted once it runs.
/// - Returns: What `work` returns.
/// - Throws: `CancellationError` when the task is cancelled before `work` begins, and whatever `work`
///   throws.
public func withoutBlocking<Value: Sendable>(
  _ work: @escaping @Sendable () throws -> Value
) async throws -> Value {
  try await CallQueue.shared.run(threads: 1) { _ in try work() }
}
