package import NeuralEngine

/// A fully convolutional residual network for depth: an encoder and four up-projections.
///
/// The input is `n × h × w × 3`, the output `n × 16·ceil(h/32) × 16·ceil(w/32) × outputs`: depth in metres, and a possible
/// second output with the expected relative error.
///
/// > Source: I. Laina et al. “Deeper Depth Prediction with Fully Convolutional Residual Networks.”
/// > 3DV 2016. [arXiv:1606.00373](https://arxiv.org/abs/1606.00373), figure 1.
package struct FCRN: Sendable {
  package let configuration: FCRNConfiguration
  /// The last node of the network's graph.
  package let output: Node

  /// Builds the network described by an archive, and checks that the archive contains exactly its weights.
  ///
  /// - Throws: `DepthError` that names the faulty tensor or attribute.
  package init(_ archive: any WeightArchive) throws {
    let configuration = try FCRNConfiguration(archive)
    let weights = WeightScope(
      archive, batchNormEpsilon: configuration.batchNormEpsilon, isFolded: configuration.isFolded)
    let divisor = configuration.widthDivisor
    let image = Node.input(channels: 3, quantization: configuration.pixelQuantization)
    let features: Node
    var skipped: [Node] = []
    switch configuration.architecture {
    case .resNet50: features = try ResNet50(weights, widthDivisor: divisor)(image)
    case .efficientNetLite2:
      (features, skipped) = try EfficientNetLite2(weights, widthDivisor: divisor)(image)
    }
    if !configuration.hasSkipConnections { skipped = [] }
    let decoder = try Decoder(
      weights, features.channels, skipped: skipped.map(\.channels), configuration)
    try weights.requireEverythingUsed()
    self.configuration = configuration
    output = decoder(features, skipped: skipped)
  }

  /// The network's training shape, for one image.
  package var inputShape: Tensor.Shape {
    Tensor.Shape(
      height: configuration.inputHeight, width: configuration.inputWidth, channels: 3)
  }
}
