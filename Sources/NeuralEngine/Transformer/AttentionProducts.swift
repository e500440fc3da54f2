import CDepthSIMD

/// The products of matrices of self-attention, in one arithmetic. A worker keeps its block's scores and results in its
/// ``AttentionHeads/Memory``.
@unsafe protocol AttentionProducts: Sendable {
  /// Floats of a packed key, or of a packed value, of one head.
  static var floatsPerKey: Int { get }
  /// Floats of one thread beside those of ``AttentionHeads/Memory``.
  static var threadCount: Int { get }

  var heads: AttentionHeads { get }
  func packKeys(_ head: Int, worker: Int)
  func packValues(_ head: Int, worker: Int)
  /// Called before the products of a block of queries.
  func begin(_ head: Int, queries: Range<Int>, worker: Int)
  /// Computes the scores of a block of keys.
  func multiplyKeys(_ head: Int, queries: Range<Int>, keys: Range<Int>, worker: Int)
  /// Makes shares of the scores, whose rows are multiplied by `scales` if there are any.
  func makeShares(rows: Int, keys: Int, scales: UnsafePointer<Float>?, worker: Int)
  /// Adds the values of a block of keys to the results, weighted by their shares.
  func addValues(_ head: Int, queries: Range<Int>, keys: Range<Int>, worker: Int)
}

extension AttentionProducts {
  /// Floats of the packed keys and values of one head, in whole panels of the widest vectors, 32 keys.
  static func headCount(tokens: Int) -> Int {
    unsafe 2 * ((tokens + 31) / 32 * 32 * floatsPerKey)
  }

  /// The results of some queries of a head.
  func attend(_ head: Int, queries: Range<Int>, worker: Int) {
    let (width, rows) = (SelfAttention.headWidth, queries.count)
    let memory = unsafe heads.memory(of: worker)
    unsafe memory.results.update(repeating: 0, count: rows * width)
    unsafe memory.maxima.update(repeating: -.infinity, count: rows)
    unsafe memory.sums.update(repeating: 0, count: rows)
    unsafe begin(head, queries: queries, worker: worker)
    for keys in unsafe heads.keyBlocks {
      unsafe multiplyKeys(head, queries: queries, keys: keys, worker: worker)
      unsafe makeShares(rows: rows, keys: keys.count, scales: nil, worker: worker)
      unsafe addValues(head, queries: queries, keys: keys, worker: worker)
    }
    for row in 0..<rows {
      let out = unsafe heads.y + (queries.lowerBound + row) * heads.yStride + head * width
      let share = unsafe 1 / memory.sums[row]
      for c in 0..<width { unsafe out[c] = memory.results[row * width + c] * share }
    }
  }
}
