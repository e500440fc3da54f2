/// Doubles the resolution of a feature map by up-projection. Two fast up-convolutions of one map are summed, the first after
/// a ReLU and a 3×3 convolution. A ReLU follows the sum.
///
/// - Shapes: input `n × h × w × inputChannels`, output `n × 2h × 2w × outputChannels`.
/// - Complexity: (2 · 25 · inputChannels + 36 · outputChannels) · outputChannels · h · w
///   multiply–adds in the direct form.
///
/// > Source: I. Laina et al. “Deeper Depth Prediction with Fully Convolutional Residual Networks.”
/// > 3DV 2016. [arXiv:1606.00373](https://arxiv.org/abs/1606.00373), figure 2 (d).
package struct UpProjection: Layer {
  private let branches: UpConv2D
  private let convolution: Conv2D

  /// Checks the weights of the block.
  ///
  /// - Parameters:
  ///   - layer: `layer2x` … `layer16x`.
  ///   - padding: The side of the zero padding for two-tap kernels.
  /// - Throws: `DepthError` when a tensor is missing, mis-shaped or not finite.
  package init(
    _ weights: WeightScope, _ layer: String, padding: UpConvolution.Padding, _ inputChannels: Int,
    _ outputChannels: Int
  ) throws {
    branches = try UpConv2D(
      weights,
      branches: [
        .init(prefix: "\(layer)_br1", activation: .relu),
        .init(prefix: "\(layer)_br2", activation: .none),
      ], padding: padding, inputChannels, outputChannels)
    convolution = try Conv2D(
      weights, "\(layer)_Conv", norm: "\(layer)_BN", name: "\(layer)_ReLU", kernelSize: 3,
      outputChannels, outputChannels, hasBias: true, activation: .relu)
  }

  package func callAsFunction(_ x: Node) -> Node {
    let branch = branches(x)
    return convolution(branch[0], adding: branch[1])
  }
}
