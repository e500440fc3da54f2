import CDepthSIMD
import ThreadTeams

/// Multi-head self-attention: softmax(q kᵀ / √64) v of each head, heads of 64 channels side by side.
///
/// Input `n × 1 × tokens × 3·width` (all queries, all keys, all values, head after head), output `n × 1 × tokens × width`. Scores are
/// computed for a block of queries and a block of keys at a time, with a running softmax, so that memory grows with the tokens and
/// not with their square. Blocks depend on the number of tokens alone.
///
/// > Source: A. Vaswani et al. “Attention Is All You Need.” NeurIPS 2017, section 3.2. T. Dao et al. “FlashAttention.” NeurIPS
/// > 2022. [arXiv:2205.14135](https://arxiv.org/abs/2205.14135), algorithm 1.
struct SelfAttention: FloatLayer, PreparedFloatLayer {
  /// Channels of a head; every published Vision Transformer has 64.
  static let headWidth = 64

  let heads: Int
  var width: Int { heads * Self.headWidth }

  var kind: String { "attention" }
  var description: (shape: String, algorithm: String) { ("\(heads) heads", "attention") }

  func outputShape(for input: Tensor.Shape) -> Tensor.Shape {
    precondition(
      input.channels == 3 * width, "x has \(input.channels) channels, expected \(3 * width)")
    var shape = input
    shape.channels = width
    return shape
  }

  func multiplyAdds(for input: Tensor.Shape) -> Int {
    2 * input.count * input.area * input.area * width
  }

  /// Queries of a block: eight row blocks of the GEMM kernel.
  private static let queriesPerBlock = 96
  /// Keys of a block, whole panels on all instruction sets: a block of scores takes .2 MB.
  private static let keysPerBlock = 512
  /// Floats from one query's scores to the next one's; not a power of two, which would map all to one set of the cache.
  private static let scoreStride = keysPerBlock + 16

  /// Floats of one head's packed keys, and of its packed values.
  private func packedCount(tokens: Int) -> Int {
    (tokens + Self.widestPanel - 1) / Self.widestPanel * Self.widestPanel * Self.headWidth
  }
  /// Columns of a panel with the widest vectors.
  private static let widestPanel = 32
  /// Floats of one thread: scores, results, maxima and sums of a block.
  private static let threadCount =
    queriesPerBlock * (scoreStride + headWidth) + 2 * queriesPerBlock

  func scratchCount(for input: Tensor.Shape, threads: Int) -> Int {
    2 * heads * packedCount(tokens: input.area) + threads * Self.threadCount
  }

  func run(_ run: LayerRun) {
    let tokens = run.input.shape.area
    let blocks = (tokens + Self.queriesPerBlock - 1) / Self.queriesPerBlock
    for image in 0..<run.input.shape.count {
      let head = unsafe Head(
        self, run, image: image, packedCount: packedCount(tokens: tokens))
      run.team.forEach(heads) { _, index in unsafe head.pack(index) }
      run.team.forEach(heads * blocks) { worker, task in
        let (index, block) = task.quotientAndRemainder(dividingBy: blocks)
        unsafe head.attend(
          index, queries: block * tokens / blocks..<(block + 1) * tokens / blocks, worker: worker)
      }
    }
  }

  /// The heads of one image.
  @unsafe private struct Head: Sendable {
    let tokens, width, packedCount: Int
    let panelWidth: Int
    nonisolated(unsafe) let kernels: UnsafePointer<ck_kernels>
    nonisolated(unsafe) let x: UnsafePointer<Float>
    nonisolated(unsafe) let y: UnsafeMutablePointer<Float>
    let xStride, yStride: Int
    /// Packed keys of all heads, then packed values, then the threads' memory.
    nonisolated(unsafe) let packed: UnsafeMutablePointer<Float>
    nonisolated(unsafe) let own: UnsafeMutablePointer<Float>

    init(_ attention: SelfAttention, _ run: LayerRun, image: Int, packedCount: Int) {
      let (input, output) = (run.input.image(image), run.output.image(image))
      unsafe (tokens, width, self.packedCount) = (input.shape.area, attention.width, packedCount)
      unsafe kernels = run.backend.kernels
      unsafe panelWidth = Int(kernels.pointee.network.panel_width)
      unsafe x = UnsafePointer(run.workspace.base + input.offset)
      unsafe y = run.workspace.base + output.offset
      unsafe (xStride, yStride) = (input.pixelStride, output.pixelStride)
      unsafe packed = run.workspace.base + run.scratch
      unsafe own = packed + 2 * attention.heads * packedCount
    }

    private var keyBlocks: StrideTo<Int> {
      unsafe stride(from: 0, to: tokens, by: SelfAttention.keysPerBlock)
    }

    /// Keys as panels of 64 × `panelWidth`, and the values of each block of keys as panels of keys × `panelWidth`.
    func pack(_ head: Int) {
      let headWidth = SelfAttention.headWidth
      let (keys, values) = unsafe (
        packed + 2 * head * packedCount, packed + (2 * head + 1) * packedCount
      )
      let column = unsafe x + head * headWidth
      for first in unsafe stride(from: 0, to: tokens, by: panelWidth) {
        unsafe kernels.pointee.network.pack_panel(
          headWidth, min(panelWidth, tokens - first), column + width + first * xStride, xStride, 1,
          keys + first * headWidth, panelWidth)
      }
      for first in unsafe keyBlocks {
        let count = unsafe min(SelfAttention.keysPerBlock, tokens - first)
        var out = unsafe values + first * headWidth
        for panel in unsafe stride(from: 0, to: headWidth, by: panelWidth) {
          for key in first..<first + count {
            unsafe out.update(
              from: column + 2 * width + key * xStride + panel, count: panelWidth)
            unsafe out += panelWidth
          }
        }
      }
    }

    /// The results of some queries of a head.
    func attend(_ head: Int, queries: Range<Int>, worker: Int) {
      let (headWidth, stride) = (SelfAttention.headWidth, SelfAttention.scoreStride)
      let rows = queries.count
      let scores = unsafe own + worker * SelfAttention.threadCount
      let results = unsafe scores + SelfAttention.queriesPerBlock * stride
      let maxima = unsafe results + SelfAttention.queriesPerBlock * headWidth
      let sums = unsafe maxima + SelfAttention.queriesPerBlock
      unsafe results.update(repeating: 0, count: rows * headWidth)
      unsafe maxima.update(repeating: -.infinity, count: rows)
      unsafe sums.update(repeating: 0, count: rows)
      let (keys, values) = unsafe (
        packed + 2 * head * packedCount, packed + (2 * head + 1) * packedCount
      )
      for first in unsafe keyBlocks {
        let count = unsafe min(SelfAttention.keysPerBlock, tokens - first)
        var product = unsafe ck_gemm(
          rows: rows, depth: headWidth, columns: count,
          a: x + head * headWidth + queries.lowerBound * xStride, a_stride: xStride,
          b: keys + first * headWidth, c: scores, c_stride: stride, next_b: nil, next_a: nil,
          epilogue: ck_epilogue())
        unsafe kernels.pointee.network.gemm(&product)
        unsafe kernels.pointee.network.running_softmax(
          rows, count, scores, stride, 0.125, maxima, sums, results, headWidth, headWidth)
        // Each result is read just before it is written.
        var sum = unsafe ck_epilogue()
        unsafe (sum.residual, sum.residual_stride) = (UnsafePointer(results), headWidth)
        unsafe product = ck_gemm(
          rows: rows, depth: count, columns: headWidth, a: scores, a_stride: stride,
          b: values + first * headWidth, c: results, c_stride: headWidth, next_b: nil,
          next_a: nil, epilogue: sum)
        unsafe kernels.pointee.network.gemm(&product)
      }
      for row in 0..<rows {
        let out = unsafe y + (queries.lowerBound + row) * yStride + head * headWidth
        let share = unsafe 1 / sums[row]
        for c in 0..<headWidth { unsafe out[c] = results[row * headWidth + c] * share }
      }
    }
  }
}
