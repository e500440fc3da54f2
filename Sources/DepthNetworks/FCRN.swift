package import NeuralEngine

/// A fully convolutional residual network for depth: a residual encoder and four up-projections.
///
/// Input `n × h × w × 3`, output `n × 16·ceil(h/32) × 16·ceil(w/32) × 1` in metres.
///
/// > Source: I. Laina et al. “Deeper Depth Prediction with Fully Convolutional Residual Networks.”
/// > 3DV 2016. [arXiv:1606.00373](https://arxiv.org/abs/1606.00373), figure 1.
package struct FCRN: Sendable {
  package let configuration: FCRNConfiguration
  /// The last node of the network's graph.
  package let output: Node

  /// Builds the network that an archive describes, and checks that the archive holds exactly its
  /// weights.
  ///
  /// - Throws: `DepthError`, naming the tensor or attribute at fault.
  package init(_ archive: any WeightArchive) throws {
    let configuration = try FCRNConfiguration(archive)
    let weights = WeightScope(
      archive, batchNormEpsilon: configuration.batchNormEpsilon, isFolded: configuration.isFolded)
    let divisor = configuration.widthDivisor
    let image = Node.input(channels: 3, codes: configuration.pixelCodes)
    let features: Node =
      switch configuration.architecture {
      case .resNet50: try ResNet50(weights, widthDivisor: divisor)(image)
      case .resNet18: try ResNet18(weights, widthDivisor: divisor)(image)
      }
    let decoder = try Decoder(weights, features.channels, configuration)
    try weights.requireEverythingUsed()
    self.configuration = configuration
    output = decoder(features)
  }

  /// The shape that the network was trained on, for one image.
  package var inputShape: Tensor.Shape {
    Tensor.Shape(
      height: configuration.inputHeight, width: configuration.inputWidth, channels: 3)
  }
}

/// Everything after the encoder. As in the published model, no ReLU follows `layer1_BN`.
struct Decoder: Layer {
  let layer1: Conv2D
  let up2x, up4x, up8x, up16x: UpProjection
  let convPred: Conv2D

  // swift-format-ignore
  init(_ weights: WeightScope, _ input: Int, _ configuration: FCRNConfiguration) throws {
    let widths = configuration.decoderWidths
    let padding = configuration.padding
    layer1   = try Conv2D(weights, "layer1", norm: "layer1_BN", kernelSize: 1, input, widths[0], hasBias: true)
    up2x     = try UpProjection(weights, "layer2x", padding: padding, widths[0], widths[1])
    up4x     = try UpProjection(weights, "layer4x", padding: padding, widths[1], widths[2])
    up8x     = try UpProjection(weights, "layer8x", padding: padding, widths[2], widths[3])
    up16x    = try UpProjection(weights, "layer16x", padding: padding, widths[3], widths[4])
    convPred = try Conv2D(
      weights, "ConvPred", kernelSize: 3, widths[4], 1, hasBias: true,
      activation: configuration.hasFinalReLU ? .relu : .none)
  }

  func callAsFunction(_ x: Node) -> Node {
    x.sequenced(through: layer1, up2x, up4x, up8x, up16x, convPred)
  }
}
