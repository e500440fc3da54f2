/// Runs `body` over `0 ..< count` in chunks of `grain`, at most `threads` of them at a time.
///
/// The chunks are the same for every number of threads, so a body that computes each index by itself
/// gives the same bits however many run at once. With one thread, or one chunk, nothing is dispatched.
///
/// - Parameters:
///   - count: Number of indices.
///   - grain: Indices of one chunk, at least 1.
///   - threads: Upper bound on chunks under way at once, at least 1.
///   - body: Called once a chunk with its indices; must write only what belongs to them.
package func parallelFor(
  _ count: Int, grain: Int = 1, threads: Int, _ body: @Sendable (Range<Int>) -> Void
) {
  precondition(grain > 0 && threads > 0, "grain \(grain) and threads \(threads), expected positive")
  let chunks = (max(count, 0) + grain - 1) / grain
  ThreadTeam.run(threads: max(min(threads, chunks), 1)) { team in
    team.forEach(chunks) { _, chunk in body(chunk * grain..<min(count, (chunk + 1) * grain)) }
  }
}

/// As ``parallelFor(_:grain:threads:_:)``, but chunks under way at once lie far apart.
///
/// Threads that write side by side to fresh memory meet in the same large page, and both clear it.
package func parallelForApart(
  _ count: Int, grain: Int, threads: Int, _ body: @Sendable (Range<Int>) -> Void
) {
  let chunks = (max(count, 0) + grain - 1) / grain
  parallelFor(chunks, threads: threads) { indices in
    for index in indices {
      // One part for each thread; the first `chunks % threads` parts are one chunk longer.
      let (place, part) = index.quotientAndRemainder(dividingBy: threads)
      let chunk = part * (chunks / threads) + min(part, chunks % threads) + place
      body(chunk * grain..<min(count, (chunk + 1) * grain))
    }
  }
}
