/// Runs `body` over `0 ..< count` in chunks of `grain` indices, on at most `threads` threads.
///
/// The chunks do not depend on the number of threads, so a body that computes each index
/// independently gives the same bits on any number of threads. With one thread or one chunk the
/// caller does all work.
///
/// - Parameters:
///   - count: Number of indices.
///   - grain: Indices per chunk, at least 1.
///   - threads: Largest number of threads, at least 1.
///   - cancellation: Once it is cancelled, remaining chunks are left out; the caller must check it
///     and use no result then.
///   - body: Called once per chunk with its indices; must write only data that belongs to them.
package func parallelFor(
  _ count: Int, grain: Int = 1, threads: Int, cancellation: Cancellation? = nil,
  _ body: @Sendable (Range<Int>) -> Void
) {
  precondition(grain > 0 && threads > 0, "grain \(grain) and threads \(threads), expected positive")
  let chunks = (max(count, 0) + grain - 1) / grain
  ThreadTeam.run(threads: max(min(threads, chunks), 1)) { team in
    team.forEach(chunks) { _, chunk in
      if let cancellation, cancellation.isCancelled { return }
      body(chunk * grain..<min(count, (chunk + 1) * grain))
    }
  }
}

/// Like ``parallelFor(_:grain:threads:cancellation:_:)``, but each thread works on a distant part of the range.
///
/// Threads that write to adjacent chunks of fresh memory would fault on the same huge page, and
/// both would clear it.
package func parallelForStrided(
  _ count: Int, grain: Int, threads: Int, cancellation: Cancellation? = nil,
  _ body: @Sendable (Range<Int>) -> Void
) {
  let chunks = (max(count, 0) + grain - 1) / grain
  parallelFor(chunks, threads: threads, cancellation: cancellation) { indices in
    for index in indices {
      // One part for each thread; the first `chunks % threads` parts are one chunk longer.
      let (place, part) = index.quotientAndRemainder(dividingBy: threads)
      let chunk = part * (chunks / threads) + min(part, chunks % threads) + place
      body(chunk * grain..<min(count, (chunk + 1) * grain))
    }
  }
}

extension ThreadTeam {
  /// ``forEach(_:_:)`` for a body that can throw.
  ///
  /// - Throws: The error of the lowest index whose body throws.
  package func forEachThrowing(
    _ count: Int, _ body: @Sendable (_ index: Int) throws -> Void
  ) throws {
    let failure = FirstFailure()
    forEach(count) { _, index in
      do { try body(index) } catch { failure.note(error, at: index) }
    }
    if let error = failure.error { throw error }
  }
}

/// Keeps the error of the lowest index, independent of the order in which threads report.
private final class FirstFailure: Sendable {
  private let state = Monitor<(index: Int, error: any Error)?>(nil)

  func note(_ error: any Error, at index: Int) {
    state.update { state in
      if index < state?.index ?? .max { state = (index, error) }
    }
  }

  var error: (any Error)? { state.read { $0?.error } }
}
