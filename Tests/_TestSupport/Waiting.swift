public import Foundation
public import Testing

/// Checks a condition every millisecond, up to 60 000 times. Only a hanging program takes longer.
///
/// - Returns: Whether the condition became true.
@discardableResult
public func waitUntil(_ condition: () throws -> Bool) rethrows -> Bool {
  for _ in 0..<60_000 {
    if try condition() { return true }
    usleep(1000)
  }
  return try condition()
}

/// Waits until all members of a group have left, or names the unfinished work.
public func waitForAll(
  of group: DispatchGroup, _ what: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  try #require(
    group.wait(timeout: .now() + .seconds(600)) == .success, "waited 600 s for \(what)",
    sourceLocation: sourceLocation)
}

/// Runs long waiting work on a separate thread, which leaves Swift's pool to other tests.
public func onOwnThread<Result: Sendable>(
  _ work: @escaping @Sendable () throws -> Result
) async throws -> Result {
  try await withCheckedThrowingContinuation { continuation in
    Thread { continuation.resume(with: .init(catching: work)) }.start()
  }
}
