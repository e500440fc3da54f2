import NeuralEngine

/// A residual block of the 18-layer network: two 3×3 convolutions, stride on the first.
struct BasicBlock: Layer {
  /// 1×1 convolution of the shortcut; `nil` where the shortcut is the input itself.
  let branch1: Conv2D?
  let branch2a, branch2b: Conv2D

  /// - Parameter block: Stage number and letter, `2a`.
  init(_ weights: WeightScope, _ block: String, _ input: Int, _ output: Int, stride: Int) throws {
    branch1 =
      stride == 1
      ? nil
      : try Conv2D(
        weights, "res\(block)_branch1", norm: "bn\(block)_branch1", kernelSize: 1, stride: stride,
        input, output)
    branch2a = try Conv2D(
      weights, "res\(block)_branch2a", norm: "bn\(block)_branch2a", kernelSize: 3, stride: stride,
      input, output, activation: .relu)
    branch2b = try Conv2D(
      weights, "res\(block)_branch2b", norm: "bn\(block)_branch2b", name: "res\(block)_relu",
      kernelSize: 3, output, output, activation: .relu)
  }

  func callAsFunction(_ x: Node) -> Node {
    let shortcut = branch1.map { $0(x) } ?? x
    return branch2b(branch2a(x), adding: shortcut)
  }
}

/// The convolutional part of ResNet-18: 3 → 512 channels at 1/32 of the resolution.
///
/// > Source: K. He et al. “Deep Residual Learning for Image Recognition.” CVPR 2016.
/// > [arXiv:1512.03385](https://arxiv.org/abs/1512.03385), table 1.
struct ResNet18: Layer {
  /// Table 1 of He et al., the 18-layer column: widths of `conv2_x` … `conv5_x`, two blocks each.
  static let widths = [64, 128, 256, 512]

  let stem: ResNetStem
  let blocks: Sequential

  init(_ weights: WeightScope, widthDivisor: Int) throws {
    stem = try ResNetStem(weights, 64 / widthDivisor)
    var input = 64 / widthDivisor
    var blocks: [BasicBlock] = []
    for (number, width) in zip(2..., Self.widths) {
      for (index, letter) in "ab".enumerated() {
        blocks.append(
          try BasicBlock(
            weights, "\(number)\(letter)", input, width / widthDivisor,
            stride: index == 0 && number > 2 ? 2 : 1))
        input = width / widthDivisor
      }
    }
    self.blocks = Sequential(blocks)
  }

  func callAsFunction(_ x: Node) -> Node { x.sequenced(through: stem, blocks) }
}
