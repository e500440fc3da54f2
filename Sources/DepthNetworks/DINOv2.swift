import NeuralEngine

/// A block of a Vision Transformer: x += proj(attention(norm1(x))), x += mlp(norm2(x)). LayerScale is part of the weights.
struct TransformerBlock: Layer {
  let norm1, norm2: LayerNorm
  let qkv, proj: Linear
  let attention: Attention
  let fc1, fc2: Linear

  // swift-format-ignore
  init(_ weights: WeightScope, _ block: String, _ configuration: DepthAnythingConfiguration) throws {
    let (width, hidden) = (configuration.width, configuration.hidden)
    norm1 = try LayerNorm(weights, "\(block).norm1", channels: width)
    qkv = try Linear(weights, "\(block).attn.qkv", width, 3 * width)
    attention = Attention("\(block).attn", heads: configuration.heads)
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

/// The encoder: patches of 14 × 14 pixels as tokens through transformer blocks, after four of which a map is taken.
///
/// > Source: M. Oquab et al. “DINOv2: Learning Robust Visual Features without Supervision.” TMLR 2024.
/// > [arXiv:2304.07193](https://arxiv.org/abs/2304.07193).
struct DINOv2 {
  let patchEmbed: Conv2D
  let embeddings: Tokens
  let blocks: [TransformerBlock]
  let norm: LayerNorm
  let takenBlocks: [Int]

  init(_ weights: WeightScope, _ configuration: DepthAnythingConfiguration) throws {
    let (width, patch) = (configuration.width, DepthAnythingConfiguration.patch)
    patchEmbed = try Conv2D(
      weights, "patch_embed", kernelSize: patch, stride: patch,
      padding: ConvolutionGeometry.Padding.none, 3, width,
      hasBias: true)
    embeddings = try Tokens(
      weights, "embeddings", width: width, trainedSide: configuration.trainedSide)
    blocks = try (0..<configuration.blocks).map {
      try TransformerBlock(weights, "blocks.\($0)", configuration)
    }
    norm = try LayerNorm(weights, "norm", channels: width)
    takenBlocks = configuration.takenBlocks
  }

  /// The four maps, earliest first, one pixel per patch.
  func callAsFunction(_ image: Node) -> [Node] {
    let patches = patchEmbed(image)
    var x = embeddings(patches)
    var taken: [Node] = []
    for (index, block) in zip(1..., blocks) {
      x = block(x)
      if takenBlocks.contains(index) {
        taken.append(norm(x, layout: patches, name: "tokens\(taken.count)"))
      }
    }
    return taken
  }
}
