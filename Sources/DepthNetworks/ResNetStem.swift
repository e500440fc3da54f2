import NeuralEngine

/// The first layers of a residual network: a 7×7 convolution of stride 2, then pooling.
struct ResNetStem: Layer {
  let conv1: Conv2D
  let pool1 = MaxPool2D(name: "pool1")

  init(_ weights: WeightScope, _ output: Int) throws {
    conv1 = try Conv2D(
      weights, "conv1", norm: "bn_conv1", kernelSize: 7, stride: 2, 3, output, hasBias: true,
      activation: .relu)
  }

  func callAsFunction(_ x: Node) -> Node { x.sequenced(through: conv1, pool1) }
}
