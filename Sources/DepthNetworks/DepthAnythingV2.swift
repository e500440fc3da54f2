package import NeuralEngine

/// Depth Anything V2: the encoder of DINOv2 and the head of a dense prediction transformer.
///
/// Input `n × 14h × 14w × 3`, output `n × 14h × 14w × 1`: metres, or disparity of unknown scale and shift.
///
/// > Source: L. Yang et al. “Depth Anything V2.” NeurIPS 2024. [arXiv:2406.09414](https://arxiv.org/abs/2406.09414).
package struct DepthAnythingV2: Sendable {
  package let configuration: DepthAnythingConfiguration
  /// The last node of the network's graph.
  package let output: Node

  /// Builds the network described by an archive, and checks that the archive contains exactly its weights.
  ///
  /// - Throws: `DepthError` that names the faulty tensor or attribute.
  package init(_ archive: any WeightArchive) throws {
    let configuration = try DepthAnythingConfiguration(archive)
    let weights = WeightScope(archive, batchNormEpsilon: 0, isFolded: false)
    let encoder = try DINOv2(weights, configuration.encoder)
    let head = try DPTHead(weights, configuration)
    try weights.requireEverythingUsed()
    self.configuration = configuration
    let image = Node.input(channels: 3)
    output = head(encoder(image).maps, sizeOf: image)
  }

  /// The network's training shape, for one image.
  package var inputShape: Tensor.Shape {
    let side = configuration.trainedSide * DepthAnythingConfiguration.patch
    return Tensor.Shape(height: side, width: side, channels: 3)
  }
}
