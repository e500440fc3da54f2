/// A convolution of each channel with a kernel of its own, followed by an activation.
///
/// Zero padding is (k − 1) / 2 on every side; kernels are `channels × 1 × k × k`.
///
/// > Source: M. Sandler et al. “MobileNetV2: Inverted Residuals and Linear Bottlenecks.” CVPR 2018.
/// > [arXiv:1801.04381](https://arxiv.org/abs/1801.04381), section 3.1.
package struct DepthwiseConv2D: Layer {
  private let step: DepthwiseStep
  private let layer: String

  /// Checks the layer's weights.
  ///
  /// - Parameters:
  ///   - layer: The weights' group.
  ///   - channels: Channels of the input and of the result.
  ///   - activation: The function that follows.
  /// - Throws: `DepthError` when a tensor is missing, mis-shaped or not finite.
  package init(
    _ weights: WeightScope, _ layer: String, kernelSize: Int, stride: Int = 1, channels: Int,
    activation: Activation = .none
  ) throws {
    self.layer = layer
    step = DepthwiseStep(
      geometry: DepthwiseGeometry(kernelSize: kernelSize, stride: stride, channels: channels),
      weights: try ConvolutionWeights(
        weights, layer: layer, norm: nil, hasBias: true,
        shape: [channels, 1, kernelSize, kernelSize]),
      activation: activation)
  }

  package func callAsFunction(_ x: Node) -> Node {
    precondition(
      x.channels == step.geometry.channels,
      "x has \(x.channels) channels, expected \(step.geometry.channels)")
    return Node(.depthwise(step), layer: layer, name: layer, channels: x.channels, inputs: [x])
  }
}

/// A depthwise convolution before its weights are packed.
struct DepthwiseStep: Sendable {
  let geometry: DepthwiseGeometry
  let weights: ConvolutionWeights
  let activation: Activation
}
