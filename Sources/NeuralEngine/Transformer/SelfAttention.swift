import CDepthSIMD
import DepthBase

/// Multi-head self-attention: softmax(q kᵀ / √64) v of each head, heads of 64 channels side by side.
///
/// Input `n × 1 × tokens × 3·width` (all queries, all keys, all values, head after head), output `n × 1 × tokens × width`. Scores are
/// computed for a block of queries and a block of keys at a time, with a running softmax, so that memory grows with the tokens and
/// not with their square. Blocks depend on the number of tokens alone.
///
/// > Source: A. Vaswani et al. “Attention Is All You Need.” NeurIPS 2017, section 3.2. T. Dao et al. “FlashAttention.” NeurIPS
/// > 2022. [arXiv:2205.14135](https://arxiv.org/abs/2205.14135), algorithm 1.
struct SelfAttention: Operation, PreparedOperation {
  /// Channels of a head; every published Vision Transformer has 64.
  static let headWidth = 64
  /// Queries of a block: two row blocks of the GEMM kernel.
  static let queriesPerBlock = 24
  /// Keys of a block, whole panels on all instruction sets: a block of scores takes .2 MB. Most inputs have fewer tokens, so that all
  /// results are summed in registers.
  static let keysPerBlock = 2048
  /// Floats from one query's scores to the next one's; not a power of two, which would map all to one set of the cache.
  static let scoreStride = keysPerBlock + 16

  let heads: Int
  /// The instruction set that multiplies queries, keys, the softmax's results and values rounded to bfloat16; `nil` for floats.
  var bfloat16: BFloat16InstructionSet?
  /// The instruction set that multiplies queries and keys as 8-bit quantized values; `nil` where they are multiplied like values.
  var int8: Int8InstructionSet?

  var width: Int { heads * Self.headWidth }

  var kind: String { "attention" }
  func description(for input: Tensor.Shape) -> (shape: String, algorithm: String) {
    let values = bfloat16 == nil ? "attention" : "attention, bfloat16"
    return ("\(heads) heads", int8 == nil ? values : "\(values) and int8")
  }

  func outputShape(for input: Tensor.Shape) -> Tensor.Shape {
    input.require(channels: 3 * width)
    return input.with(channels: width)
  }

  func multiplyAdds(for input: Tensor.Shape) -> Int {
    2 * input.count * input.area * input.area * width
  }

  func prepared(_ preparation: Preparation) -> any PreparedOperation {
    SelfAttention(heads: heads, bfloat16: preparation.bfloat16, int8: preparation.int8)
  }

  func scratchCount(for input: Tensor.Shape, threads: Int) -> Int {
    func count<P: AttentionProducts>(_: P.Type) -> Int {
      unsafe heads * P.headCount(tokens: input.area)
        + threads * (AttentionHeads.Memory.count + P.threadCount)
    }
    return switch (int8, bfloat16) {
    case (nil, nil): unsafe count(FloatAttention.self)
    case (nil, _?): unsafe count(BFloat16Attention.self)
    case (_?, nil): unsafe count(QuantizedAttention<FloatAttention>.self)
    case (_?, _?): unsafe count(QuantizedAttention<BFloat16Attention>.self)
    }
  }

  func run(_ run: LayerRun) {
    for image in 0..<run.input.shape.count {
      if let bfloat16 {
        unsafe attend(run, image) { unsafe BFloat16Attention($0, on: bfloat16) }
      } else {
        unsafe attend(run, image) { unsafe FloatAttention($0) }
      }
    }
  }

  /// The attention of one image.
  ///
  /// - Parameter products: Makes the products that multiply values, and keys where they are not quantized values.
  private func attend<Products: AttentionProducts>(
    _ run: LayerRun, _ image: Int, _ products: (AttentionHeads) -> Products
  ) {
    func heads(ownCount: Int) -> AttentionHeads {
      unsafe AttentionHeads(
        self, run, image: image,
        headCount: Products.headCount(tokens: run.input.shape.area), ownCount: ownCount)
    }
    if let int8 {
      let heads = unsafe heads(ownCount: QuantizedAttention<Products>.threadCount)
      unsafe attend(QuantizedAttention(products(heads), on: int8), on: run.team)
    } else {
      unsafe attend(products(heads(ownCount: Products.threadCount)), on: run.team)
    }
  }

  private func attend(_ products: some AttentionProducts, on team: ThreadTeam) {
    let tokens = unsafe products.heads.tokens
    let blocks = (tokens + Self.queriesPerBlock - 1) / Self.queriesPerBlock
    team.forEach(heads) { worker, head in
      unsafe products.packKeys(head, worker: worker)
      unsafe products.packValues(head, worker: worker)
    }
    team.forEach(heads * blocks) { worker, task in
      let (head, block) = task.quotientAndRemainder(dividingBy: blocks)
      unsafe products.attend(
        head, queries: block * tokens / blocks..<(block + 1) * tokens / blocks, worker: worker)
    }
  }
}
