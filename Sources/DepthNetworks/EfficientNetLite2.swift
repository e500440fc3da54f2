import NeuralEngine

/// An inverted residual block: a 1×1 convolution to more channels, a depthwise convolution, and a 1×1 convolution back. The
/// last convolution has no activation, since a ReLU on few channels loses information.
///
/// > Source: M. Sandler et al. “MobileNetV2: Inverted Residuals and Linear Bottlenecks.” CVPR 2018.
/// > [arXiv:1801.04381](https://arxiv.org/abs/1801.04381), figure 3 (b).
struct InvertedResidual: Layer {
  /// `nil` for an expansion of 1.
  let expand: Conv2D?
  let depthwise: DepthwiseConv2D
  let project: Conv2D
  /// Whether the block's input is added to its result.
  let hasShortcut: Bool

  /// - Parameter block: The block's name, such as `block1a`.
  init(
    _ weights: WeightScope, _ block: String, expansion: Int, kernelSize: Int, stride: Int,
    _ input: Int, _ output: Int
  ) throws {
    let middle = expansion * input
    expand =
      expansion == 1
      ? nil
      : try Conv2D(
        weights, "\(block)_expand", kernelSize: 1, input, middle, hasBias: true, activation: .relu6)
    depthwise = try DepthwiseConv2D(
      weights, "\(block)_depthwise", kernelSize: kernelSize, stride: stride, channels: middle,
      activation: .relu6)
    project = try Conv2D(
      weights, "\(block)_project", kernelSize: 1, middle, output, hasBias: true, activation: .none)
    hasShortcut = stride == 1 && input == output
  }

  func callAsFunction(_ x: Node) -> Node {
    let filtered = depthwise(expand.map { $0(x) } ?? x)
    return project(filtered, adding: hasShortcut ? x : nil)
  }
}

/// The convolutional part of EfficientNet-Lite2: 3 → 352 channels at 1/32 of the resolution.
///
/// The Lite variants replace swish with ReLU6, and omit squeeze-and-excitation. Batch norm is folded, and zero padding is
/// (k − 1) / 2 on every side.
///
/// > Source: M. Tan, Q. Le. “EfficientNet: Rethinking Model Scaling for Convolutional Neural Networks.” ICML 2019.
/// > [arXiv:1905.11946](https://arxiv.org/abs/1905.11946), table 1, with 1.1 times the width and 1.2 times the depth.
struct EfficientNetLite2 {
  struct Stage {
    let name: String
    let blocks, expansion, kernel, stride, output: Int
  }

  // swift-format-ignore
  static let stages = [
    //           name      blocks     expansion     kernel     stride     output
    Stage(name: "block1",  blocks: 1, expansion: 1, kernel: 3, stride: 1, output: 16),
    Stage(name: "block2",  blocks: 3, expansion: 6, kernel: 3, stride: 2, output: 24),
    Stage(name: "block3",  blocks: 3, expansion: 6, kernel: 5, stride: 2, output: 48),
    Stage(name: "block4",  blocks: 4, expansion: 6, kernel: 3, stride: 2, output: 88),
    Stage(name: "block5",  blocks: 4, expansion: 6, kernel: 5, stride: 1, output: 120),
    Stage(name: "block6",  blocks: 5, expansion: 6, kernel: 5, stride: 2, output: 208),
    Stage(name: "block7",  blocks: 1, expansion: 6, kernel: 3, stride: 1, output: 352),
  ]
  /// The stages of skip connections, at 1/16, 1/8, 1/4 and 1/2 of the resolution.
  static let skipped = ["block5", "block3", "block2", "block1"]

  let stem: Conv2D
  let blocks: [(stage: String, layers: Sequential)]

  init(_ weights: WeightScope, widthDivisor: Int) throws {
    func width(_ channels: Int) -> Int { max(channels / widthDivisor, 1) }
    var input = width(32)
    stem = try Conv2D(
      weights, "stem_conv", kernelSize: 3, stride: 2, 3, input, hasBias: true, activation: .relu6)
    blocks = try Self.stages.map { stage in
      let layers = try "abcde".prefix(stage.blocks).map { letter in
        defer { input = width(stage.output) }
        return try InvertedResidual(
          weights, "\(stage.name)\(letter)", expansion: stage.expansion, kernelSize: stage.kernel,
          stride: letter == "a" ? stage.stride : 1, input, width(stage.output))
      }
      return (stage.name, Sequential(layers))
    }
  }

  /// Adds the encoder to the graph.
  ///
  /// - Returns: The last map, and the maps for skip connections, coarsest first.
  func callAsFunction(_ x: Node) -> (features: Node, skips: [Node]) {
    var x = stem(x)
    var results: [String: Node] = [:]
    for (stage, layers) in blocks {
      x = layers(x)
      results[stage] = x
    }
    return (x, Self.skipped.compactMap { results[$0] })
  }
}
