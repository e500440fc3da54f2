import Dispatch

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
  let chunks = (count + grain - 1) / grain
  let workers = min(threads, chunks)
  guard workers > 1 else {
    for chunk in 0..<max(chunks, 0) {
      body(chunk * grain..<min(count, (chunk + 1) * grain))
    }
    return
  }
  // Contiguous runs of chunks keep each worker on neighbouring memory.
  DispatchQueue.concurrentPerform(iterations: workers) { worker in
    for chunk in worker * chunks / workers..<(worker + 1) * chunks / workers {
      body(chunk * grain..<min(count, (chunk + 1) * grain))
    }
  }
}
