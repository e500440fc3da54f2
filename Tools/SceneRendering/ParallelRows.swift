import DepthBase
import Synchronization

/// Computes `rows` arrays in parallel and returns them joined, in order.
///
/// Rows are handed out in a scattered order, so that a run of expensive ones is shared by all
/// threads.
func parallelRows<Element: Sendable>(
  _ rows: Int, threads: Int, _ row: @Sendable (Int) -> [Element]
) -> [Element] {
  let results = Mutex([[Element]](repeating: [], count: rows))
  let step = scatteringStep(for: rows)
  parallelFor(rows, threads: threads) { indices in
    for index in indices {
      let y = index * step % rows
      let elements = row(y)
      results.withLock { $0[y] = elements }
    }
  }
  return results.withLock { Array($0.joined()) }
}

/// A step near the golden section of `count` that shares no factor with it.
private func scatteringStep(for count: Int) -> Int {
  func divisor(_ a: Int, _ b: Int) -> Int { b == 0 ? a : divisor(b, a % b) }
  var step = max(1, Int(Double(count) * 0.618))
  while divisor(step, count) != 1 { step += 1 }
  return step
}
