import CDepthSIMD

/// The heads of one image, and the memory for their blocks.
@unsafe struct AttentionHeads: Sendable {
  let tokens, width: Int
  nonisolated(unsafe) let kernels: UnsafePointer<ck_kernels>
  nonisolated(unsafe) let x: UnsafePointer<Float>
  nonisolated(unsafe) let y: UnsafeMutablePointer<Float>
  let xStride, yStride: Int
  /// The blocks of keys.
  let keyBlocks: [Range<Int>]
  /// The packed keys and values of all heads, and the floats per head.
  nonisolated(unsafe) private let packed: UnsafeMutablePointer<Float>
  private let headCount: Int
  nonisolated(unsafe) private let threads: UnsafeMutablePointer<Float>
  private let threadCount: Int

  /// Floats of one head's packed keys and values, in complete panels of the widest vectors, 32
  /// keys.
  static func headCount(tokens: Int) -> Int {
    2 * ((tokens + 31) / 32 * 32 * SelfAttention.headWidth)
  }

  /// - Parameter ownCount: Floats that the products need per thread.
  init(_ attention: SelfAttention, _ run: LayerRun, image: Int, ownCount: Int) {
    let (input, output) = (run.input.image(image), run.output.image(image))
    let tokens = input.shape.area
    unsafe (self.tokens, width) = (tokens, attention.width)
    unsafe keyBlocks = stride(from: 0, to: tokens, by: SelfAttention.keysPerBlock).map {
      $0..<min($0 + SelfAttention.keysPerBlock, tokens)
    }
    unsafe kernels = run.backend.kernels
    unsafe x = UnsafePointer(run.workspace.base + input.offset)
    unsafe y = run.workspace.base + output.offset
    unsafe (xStride, yStride) = (input.pixelStride, output.pixelStride)
    unsafe headCount = Self.headCount(tokens: tokens)
    unsafe packed = run.workspace.base + run.scratch
    unsafe threads = packed + attention.heads * headCount
    unsafe threadCount = Memory.count + ownCount
  }

  /// Columns of a packed panel.
  var panelWidth: Int { unsafe Int(kernels.pointee.network.panel_width) }

  /// The queries, keys or values of a head, from the first channel of the first token.
  func column(_ part: Int, _ head: Int) -> UnsafePointer<Float> {
    unsafe x + part * width + head * SelfAttention.headWidth
  }

  /// The packed keys of a head.
  func keys(_ head: Int) -> UnsafeMutablePointer<Float> { unsafe packed + head * headCount }

  /// The packed values of a head.
  func values(_ head: Int) -> UnsafeMutablePointer<Float> { unsafe keys(head) + headCount / 2 }

  /// A thread's memory for a block.
  @unsafe struct Memory {
    static let count =
      SelfAttention.queriesPerBlock * (SelfAttention.scoreStride + SelfAttention.headWidth + 2)

    let scores, results, maxima, sums: UnsafeMutablePointer<Float>
    /// The memory of the products.
    let own: UnsafeMutablePointer<Float>

    /// The epilogue that adds a product to the results in place.
    var adding: ck_epilogue {
      var sum = unsafe ck_epilogue()
      unsafe (sum.residual, sum.residual_stride) = (
        UnsafePointer(results), SelfAttention.headWidth
      )
      return unsafe sum
    }

    /// The softmax of a block of scores.
    func softmax(rows: Int, keys: Int, scales: UnsafePointer<Float>?) -> ck_softmax {
      unsafe ck_softmax(
        rows: rows, columns: keys, scores: scores, score_stride: SelfAttention.scoreStride,
        scale: 0.125, scales: scales, maxima: maxima, sums: sums, results: results,
        result_stride: SelfAttention.headWidth, result_columns: SelfAttention.headWidth)
    }
  }

  func memory(of worker: Int) -> Memory {
    let rows = SelfAttention.queriesPerBlock
    let scores = unsafe threads + worker * threadCount
    let results = unsafe scores + rows * SelfAttention.scoreStride
    let maxima = unsafe results + rows * SelfAttention.headWidth
    return unsafe Memory(
      scores: scores, results: results, maxima: maxima, sums: maxima + rows,
      own: maxima + 2 * rows)
  }
}
