import NeuralEngine

/// A block of a Vision Transformer: x += proj(attention(norm1(x))), x += mlp(norm2(x)). The weights contain LayerScale.
struct TransformerBlock: Layer {
  let norm1, norm2: LayerNorm
  let qkv, proj: Linear
  let attention: Attention
  let fc1, fc2: Linear

  init(_ weights: WeightScope, _ block: String, _ size: DINOv2.Size) throws {
    let (width, hidden) = (size.width, size.hidden)
    norm1 = try LayerNorm(weights, "\(block).norm1", channels: width)
    qkv = try Linear(weights, "\(block).attn.qkv", width, 3 * width)
    attention = Attention("\(block).attn", heads: size.heads)
    proj = try Linear(weights, "\(block).attn.proj", width, width)
    norm2 = try LayerNorm(weights, "\(block).norm2", channels: width)
    fc1 = try Linear(weights, "\(block).mlp.fc1", width, hidden, activation: .gelu)
    fc2 = try Linear(weights, "\(block).mlp.fc2", hidden, width)
  }

  func callAsFunction(_ x: Node) -> Node {
    let attended = proj(norm1(x).sequenced(through: qkv, attention), adding: x)
    return fc2(fc1(norm2(attended)), adding: attended)
  }
}

/// The encoder, which processes patches of 14 × 14 pixels as tokens by transformer blocks. Some blocks output a map.
///
/// > Source: M. Oquab et al. “DINOv2: Learning Robust Visual Features without Supervision.” TMLR 2024.
/// > [arXiv:2304.07193](https://arxiv.org/abs/2304.07193).
struct DINOv2 {
  /// Rows and columns of a patch, pixels.
  static let patch = 14

  /// Widths and numbers of layers.
  struct Size: Sendable, Equatable {
    /// Channels of a token, in heads of 64.
    var width: Int
    var heads: Int
    /// Channels between the two linear layers of a block.
    var hidden: Int
    /// Number of transformer blocks, and the numbers of blocks after which maps are taken, ascending.
    var blocks: Int
    var takenBlocks: [Int]
    /// Rows and columns of the position vectors.
    var trainedSide: Int
  }

  let patchEmbed: Conv2D
  let embeddings: Tokens
  let blocks: [TransformerBlock]
  let norm: LayerNorm
  let takenBlocks: [Int]

  init(_ weights: WeightScope, _ size: Size) throws {
    let width = size.width
    patchEmbed = try Conv2D(
      weights, "patch_embed", kernelSize: Self.patch, stride: Self.patch,
      padding: ConvolutionGeometry.Padding.none, 3, width,
      hasBias: true)
    embeddings = try Tokens(
      weights, "embeddings", width: width, trainedSide: size.trainedSide)
    blocks = try (0..<size.blocks).map {
      try TransformerBlock(weights, "blocks.\($0)", size)
    }
    norm = try LayerNorm(weights, "norm", channels: width)
    takenBlocks = size.takenBlocks
  }

  /// The maps, earliest first, with one pixel per patch, and the tokens after the last block.
  func callAsFunction(_ image: Node) -> (maps: [Node], tokens: Node) {
    let patches = patchEmbed(image)
    var x = embeddings(patches)
    var taken: [Node] = []
    for (index, block) in zip(1..., blocks) {
      x = block(x)
      if takenBlocks.contains(index) {
        taken.append(norm(x, layout: patches, name: "tokens\(taken.count)"))
      }
    }
    return (taken, x)
  }
}
