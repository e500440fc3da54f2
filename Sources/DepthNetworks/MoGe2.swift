package import NeuralEngine

/// MoGe-2, which estimates points up to a shift, their metric scale, a mask of geometry, and normals for any photo.
///
/// The input is `n × 14h × 14w × 3`, the output `n × 16h × 16w × c`. The channels are a, b and ln z of the point (a z, b z,
/// z); the mask, positive on geometry; if requested, x, y and z of the normal; and ln of the metric scale, equal at every
/// pixel.
///
/// > Source: R. Wang et al. “MoGe-2: Accurate Monocular Geometry with Metric Scale and Sharp Details.” NeurIPS 2025.
/// > [arXiv:2507.02546](https://arxiv.org/abs/2507.02546), and the authors' code at revision 0744441.
package struct MoGe2: Sendable {
  package let configuration: MoGe2Configuration
  /// The last node of the network's graph.
  package let output: Node

  /// Builds the network described by an archive, and checks that the archive contains exactly its weights.
  ///
  /// - Parameter givesNormals: Whether to run the head for normals, if there is one. The head takes a fifth of the time.
  /// - Throws: `DepthError` that names the faulty tensor or attribute.
  package init(_ archive: any WeightArchive, givesNormals: Bool) throws {
    let configuration = try MoGe2Configuration(archive)
    let weights = WeightScope(archive, batchNormEpsilon: 0, isFolded: false)
    let width = configuration.encoder.width
    let encoder = try DINOv2(weights, configuration.encoder)
    let projections = try configuration.encoder.takenBlocks.indices.map {
      try Conv2D(
        weights, "output_projections.\($0)", kernelSize: 1, width, width, hasBias: true,
        measuredScale: .map)
    }
    let neck = try MoGe2Neck(weights, configuration)
    let (points, mask) = (
      try MoGe2Head(weights, "points_head", configuration),
      try MoGe2Head(weights, "mask_head", configuration)
    )
    let normals =
      configuration.hasNormals ? try MoGe2Head(weights, "normal_head", configuration) : nil
    let scale = try MoGe2ScaleHead(weights, width: width)
    let isWritten = givesNormals && configuration.hasNormals
    let finest = try PhaseShuffle2D(
      weights, "finest", stored: configuration.outputs, written: isWritten ? 7 : 4)
    try weights.requireEverythingUsed()
    self.configuration = configuration

    let (maps, tokens) = encoder(Node.input(channels: 3))
    var features: Node?
    for (projection, map) in zip(projections, maps) { features = projection(map, adding: features) }
    guard let features else { preconditionFailure("no map is taken, expected at least one") }
    let levels = neck(features)
    var phases = neck.finest(levels[3])
    for head in [points, mask] + (isWritten ? [normals] : []) {
      if let head { phases = head.finest(head(levels), adding: phases) }
    }
    output = finest(phases, number: scale(encoder.norm(ClassToken2D("class_token")(tokens))))
  }

  /// The shape of one 4:3 photo with the default number of patches.
  package var inputShape: Tensor.Shape {
    let grid = MoGe2Configuration.patchGrid(
      height: 3, width: 4, tokens: MoGe2Configuration.usualTokens)
    return Tensor.Shape(
      height: grid.rows * MoGe2Configuration.patch, width: grid.columns * MoGe2Configuration.patch,
      channels: 3)
  }
}

/// The natural logarithm of the metric scale, from the class token.
private struct MoGe2ScaleHead {
  let layers: Sequential

  init(_ weights: WeightScope, width: Int) throws {
    layers = Sequential(
      try [(0, width, Activation.relu), (2, width, .relu), (4, 1, .none)].map {
        try Conv2D(
          weights, "scale_head.\($0)", kernelSize: 1, width, $1, hasBias: true, activation: $2)
      })
  }

  func callAsFunction(_ token: Node) -> Node { layers(token) }
}
