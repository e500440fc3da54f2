import CDepthSIMD

/// Self-attention whose products of queries and keys use one arithmetic. Values are 32-bit floats. Each worker keeps the
/// scores and results of its block in its ``AttentionHeads/Memory``.
@unsafe protocol AttentionProducts: Sendable {
  var heads: AttentionHeads { get }
  func packKeys(_ head: Int, worker: Int)
  /// Called before the products of a block of queries.
  func begin(_ head: Int, queries: Range<Int>, worker: Int)
  /// Computes the scores of a block of keys.
  func multiplyKeys(_ head: Int, queries: Range<Int>, keys: Range<Int>, worker: Int)
  /// The factors for the rows of scores; `nil` if all factors are 1.
  func scales(worker: Int) -> UnsafePointer<Float>?
}

extension AttentionProducts {
  /// Packs values, for each block of keys as panels of keys × ``AttentionHeads/panelWidth``.
  func packValues(_ head: Int) {
    let (width, stride, panelWidth) = unsafe (
      SelfAttention.headWidth, heads.xStride, heads.panelWidth
    )
    let source = unsafe heads.column(2, head)
    for block in unsafe heads.keyBlocks {
      var out = unsafe heads.values(head) + block.lowerBound * width
      for panel in Swift.stride(from: 0, to: width, by: panelWidth) {
        for key in block {
          unsafe out.update(from: source + key * stride + panel, count: panelWidth)
          unsafe out += panelWidth
        }
      }
    }
  }

  /// Computes the results of some queries of a head.
  func attend(_ head: Int, queries: Range<Int>, worker: Int) {
    let (width, rows) = (SelfAttention.headWidth, queries.count)
    let memory = unsafe heads.memory(of: worker)
    unsafe memory.results.update(repeating: 0, count: rows * width)
    unsafe memory.maxima.update(repeating: -.infinity, count: rows)
    unsafe memory.sums.update(repeating: 0, count: rows)
    unsafe begin(head, queries: queries, worker: worker)
    for keys in unsafe heads.keyBlocks {
      unsafe multiplyKeys(head, queries: queries, keys: keys, worker: worker)
      var softmax = unsafe memory.softmax(
        rows: rows, keys: keys.count, scales: scales(worker: worker))
      unsafe heads.kernels.pointee.network.running_softmax(&softmax)
      unsafe addValues(head, rows: rows, keys: keys, memory)
    }
    for row in 0..<rows {
      let out = unsafe heads.y + (queries.lowerBound + row) * heads.yStride + head * width
      let share = unsafe 1 / memory.sums[row]
      for c in 0..<width { unsafe out[c] = memory.results[row * width + c] * share }
    }
  }

  /// Adds the weighted values of a block of keys to the results.
  private func addValues(
    _ head: Int, rows: Int, keys: Range<Int>, _ memory: AttentionHeads.Memory
  ) {
    let width = SelfAttention.headWidth
    var product = unsafe ck_gemm(
      rows: rows, depth: keys.count, columns: width, a: memory.scores,
      a_stride: SelfAttention.scoreStride, b: heads.values(head) + keys.lowerBound * width,
      c: memory.results, c_stride: width, next_b: nil, next_a: nil, epilogue: memory.adding)
    unsafe heads.kernels.pointee.network.gemm(&product)
  }
}
