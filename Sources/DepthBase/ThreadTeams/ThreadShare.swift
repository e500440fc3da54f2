import Synchronization

/// Divides the threads of this process among the calls in progress.
///
/// A single call gets all threads that it requests. Each of several concurrent calls gets a part, at least one thread. A
/// call on one thread needs no synchronization, so four concurrent calls on one thread each finish sooner than four
/// successive calls on four threads. Results do not depend on the division.
package enum ThreadShare {
  /// Runs `work` with this call's part of `threads`.
  ///
  /// - Throws: Any error of `work`.
  package static func run<Result>(
    of threads: Int, _ work: (_ threads: Int) throws -> Result
  ) rethrows -> Result {
    let helpers = HelperThreads.shared
    let calls = helpers.activeCalls.add(1, ordering: .relaxed).newValue
    defer { helpers.activeCalls.subtract(1, ordering: .relaxed) }
    return try work(part(of: threads, calls: calls))
  }

  /// The part of `threads` for each of several calls.
  static func part(of threads: Int, calls: Int) -> Int { max(threads / max(calls, 1), 1) }
}
