import Synchronization

/// Divides the threads of this process among the calls that are in progress.
///
/// A call that is alone gets all threads that it asks for. Calls at the same time get a part each, at
/// least one thread: one thread per call needs no synchronization, so that four calls on four threads
/// finish sooner than one after the other on four threads each. Results do not depend on it.
package enum ThreadShare {
  /// Runs `work` with this call's part of `threads`.
  ///
  /// - Throws: Whatever `work` throws.
  package static func run<Result>(
    of threads: Int, _ work: (_ threads: Int) throws -> Result
  ) rethrows -> Result {
    let helpers = HelperThreads.shared
    let calls = helpers.activeCalls.add(1, ordering: .relaxed).newValue
    defer { helpers.activeCalls.subtract(1, ordering: .relaxed) }
    return try work(part(of: threads, calls: calls))
  }

  /// The part of `threads` that each of some calls gets.
  static func part(of threads: Int, calls: Int) -> Int { max(threads / max(calls, 1), 1) }
}
