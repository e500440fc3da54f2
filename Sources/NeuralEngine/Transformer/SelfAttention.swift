import CDepthSIMD
import DepthBase

/// Multi-head self-attention: softmax(q kᵀ / √64) v for each head. Heads of 64 channels are side by side.
///
/// The input is `n × 1 × tokens × 3·width` (all queries, all keys, all values, head after head), the output
/// `n × 1 × tokens × width`. Scores are computed block by block with a running softmax, so memory grows linearly with the
/// tokens. Blocks depend only on the number of tokens.
///
/// > Source: A. Vaswani et al. “Attention Is All You Need.” NeurIPS 2017, section 3.2. T. Dao et al. “FlashAttention.” NeurIPS
/// > 2022. [arXiv:2205.14135](https://arxiv.org/abs/2205.14135), algorithm 1.
struct SelfAttention: Operation, PreparedOperation {
  /// Channels of a head, 64 in every published Vision Transformer.
  static let headWidth = 64
  /// Queries per block: two row blocks of the GEMM kernel.
  static let queriesPerBlock = 24
  /// Keys per block: whole panels on all instruction sets. A block of scores takes .2 MB. Most inputs have fewer tokens, so
  /// that all results are summed in registers.
  static let keysPerBlock = 2048
  /// Floats from query to query of scores. A power of two would map all queries to one cache set.
  static let scoreStride = keysPerBlock + 16

  let heads: Int
  /// The instruction set for 8-bit products of queries and keys; `nil` for floats.
  var int8: Int8InstructionSet?

  var width: Int { heads * Self.headWidth }

  var kind: String { "attention" }
  func description(for input: Tensor.Shape) -> (shape: String, algorithm: String) {
    ("\(heads) heads", int8 == nil ? "attention" : "attention, int8")
  }

  func outputShape(for input: Tensor.Shape) -> Tensor.Shape {
    input.require(channels: 3 * width)
    return input.with(channels: width)
  }

  func multiplyAdds(for input: Tensor.Shape) -> Int {
    2 * input.count * input.area * input.area * width
  }

  func prepared(_ preparation: Preparation) -> any PreparedOperation {
    SelfAttention(heads: heads, int8: preparation.int8)
  }

  /// Floats that the products need per thread.
  private var ownCount: Int { int8 == nil ? 0 : unsafe QuantizedAttention.threadCount }

  func scratchCount(for input: Tensor.Shape, threads: Int) -> Int {
    unsafe heads * AttentionHeads.headCount(tokens: input.area)
      + threads * (AttentionHeads.Memory.count + ownCount)
  }

  func run(_ run: LayerRun) {
    for image in 0..<run.input.shape.count {
      let heads = unsafe AttentionHeads(self, run, image: image, ownCount: ownCount)
      if let int8 {
        unsafe attend(QuantizedAttention(heads, on: int8), on: run.team)
      } else {
        unsafe attend(FloatAttention(heads: heads), on: run.team)
      }
    }
  }

  private func attend(_ products: some AttentionProducts, on team: ThreadTeam) {
    let tokens = unsafe products.heads.tokens
    let blocks = (tokens + Self.queriesPerBlock - 1) / Self.queriesPerBlock
    team.forEach(heads) { worker, head in
      unsafe products.packKeys(head, worker: worker)
      unsafe products.packValues(head)
    }
    team.forEach(heads * blocks) { worker, task in
      let (head, block) = task.quotientAndRemainder(dividingBy: blocks)
      unsafe products.attend(
        head, queries: block * tokens / blocks..<(block + 1) * tokens / blocks, worker: worker)
    }
  }
}
