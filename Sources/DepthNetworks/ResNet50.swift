import NeuralEngine

/// A residual block of the 50-layer network, with the stride in the first 1×1 convolution (ResNet
/// v1, as in the Caffe release; not torchvision's "v1.5").
struct Bottleneck: Layer {
  /// 1×1 convolution of the shortcut; `nil` if the shortcut is the input itself.
  let branch1: Conv2D?
  let branch2a, branch2b, branch2c: Conv2D

  /// - Parameter block: Stage number and letter, such as `2a`.
  init(
    _ weights: WeightScope, _ block: String, _ input: Int, _ width: Int, _ output: Int, stride: Int,
    isFirst: Bool
  ) throws {
    func conv(
      _ branch: String, name: String? = nil, kernelSize: Int, stride: Int = 1, _ input: Int,
      _ output: Int, activation: Activation
    ) throws -> Conv2D {
      try Conv2D(
        weights, "res\(block)_branch\(branch)", norm: "bn\(block)_branch\(branch)", name: name,
        kernelSize: kernelSize, stride: stride, input, output, activation: activation)
    }
    // swift-format-ignore
    branch1 = isFirst ? try conv("1", kernelSize: 1, stride: stride, input, output, activation: .none) : nil
    branch2a = try conv("2a", kernelSize: 1, stride: stride, input, width, activation: .relu)
    branch2b = try conv("2b", kernelSize: 3, width, width, activation: .relu)
    branch2c = try conv(
      "2c", name: "res\(block)_relu", kernelSize: 1, width, output, activation: .relu)
  }

  func callAsFunction(_ x: Node) -> Node {
    let shortcut = branch1.map { $0(x) } ?? x
    return branch2c(branch2b(branch2a(x)), adding: shortcut)
  }
}

/// The convolutional part of ResNet-50: 3 → 2048 channels at 1/32 of the resolution.
///
/// > Source: K. He et al. “Deep Residual Learning for Image Recognition.” CVPR 2016.
/// > [arXiv:1512.03385](https://arxiv.org/abs/1512.03385), table 1.
struct ResNet50: Layer {
  struct Stage {
    let name: String
    let blocks, width, output, stride: Int
  }

  /// Table 1 of He et al., the 50-layer column.
  // swift-format-ignore
  static let stages = [
    //           name       blocks     width       output        stride
    Stage(name: "conv2_x",  blocks: 3, width: 64,  output: 256,  stride: 1),
    Stage(name: "conv3_x",  blocks: 4, width: 128, output: 512,  stride: 2),
    Stage(name: "conv4_x",  blocks: 6, width: 256, output: 1024, stride: 2),
    Stage(name: "conv5_x",  blocks: 3, width: 512, output: 2048, stride: 2),
  ]

  let stem: ResNetStem
  let blocks: Sequential

  init(_ weights: WeightScope, widthDivisor: Int) throws {
    stem = try ResNetStem(weights, 64 / widthDivisor)
    var input = 64 / widthDivisor
    var blocks: [Bottleneck] = []
    for (number, stage) in zip(2..., Self.stages) {
      for (index, letter) in "abcdef".prefix(stage.blocks).enumerated() {
        let output = stage.output / widthDivisor
        blocks.append(
          try Bottleneck(
            weights, "\(number)\(letter)", input, stage.width / widthDivisor, output,
            stride: index == 0 ? stage.stride : 1, isFirst: index == 0))
        input = output
      }
    }
    self.blocks = Sequential(blocks)
  }

  func callAsFunction(_ x: Node) -> Node { x.sequenced(through: stem, blocks) }
}
