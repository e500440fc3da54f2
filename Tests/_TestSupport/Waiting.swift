import Foundation

/// Looks every millisecond whether something has come true, 60 000 times, which only a hanging program takes.
///
/// - Returns: Whether it has.
@discardableResult
public func waitUntil(_ condition: () throws -> Bool) rethrows -> Bool {
  for _ in 0..<60_000 {
    if try condition() { return true }
    usleep(1000)
  }
  return try condition()
}

/// Runs what waits for long on a thread of its own, and leaves Swift's pool to the other tests.
public func onOwnThread<Result: Sendable>(
  _ work: @escaping @Sendable () throws -> Result
) async throws -> Result {
  try await withCheckedThrowingContinuation { continuation in
    Thread { continuation.resume(with: .init(catching: work)) }.start()
  }
}
