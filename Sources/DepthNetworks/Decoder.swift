import NeuralEngine

/// All layers after the encoder. As in the published model, no ReLU follows `layer1_BN`.
struct Decoder {
  let layer1: Conv2D
  /// The global context that is added to each pixel of `layer1`; `nil` in the published model.
  let context: ChannelContext2D?
  let upProjections: [UpProjection]
  /// 1×1 convolutions of the encoder's maps. The results are added to the up-projections' results before a ReLU. Empty in
  /// the published model.
  let skips: [Conv2D]
  let convPred: Conv2D

  /// - Parameter skipped: Channels of the encoder's maps for skip connections, coarsest first; empty for none.
  // swift-format-ignore
  init(
    _ weights: WeightScope, _ input: Int, skipped: [Int], _ configuration: FCRNConfiguration
  ) throws {
    let widths = configuration.decoderWidths
    layer1 = try Conv2D(weights, "layer1", norm: "layer1_BN", kernelSize: 1, input, widths[0], hasBias: true)
    context = configuration.hasGlobalContext
      ? try .addingMean(weights, "layer1_context", channels: widths[0]) : nil
    let layers = ["layer2x", "layer4x", "layer8x", "layer16x"]
    upProjections = try zip(layers, zip(widths, widths.dropFirst())).map { layer, width in
      try UpProjection(weights, layer, padding: configuration.padding, width.0, width.1)
    }
    skips = try zip(layers, zip(skipped, widths.dropFirst())).map { layer, width in
      try Conv2D(weights, "\(layer)_skip", kernelSize: 1, width.0, width.1, hasBias: true, activation: .relu)
    }
    convPred = try Conv2D(
      weights, "ConvPred", kernelSize: 3, widths[4], configuration.outputs, hasBias: true,
      activation: configuration.outputActivation.activation)
  }

  /// - Parameter skipped: The encoder's maps for skip connections, coarsest first.
  func callAsFunction(_ features: Node, skipped: [Node]) -> Node {
    var x = layer1(features)
    if let context { x = context(x) }
    for (index, upProjection) in upProjections.enumerated() {
      x = upProjection(x)
      if !skips.isEmpty { x = skips[index](skipped[index], adding: x) }
    }
    return convPred(x)
  }
}

extension FCRNConfiguration.OutputActivation {
  /// The corresponding activation of a layer.
  fileprivate var activation: Activation {
    switch self {
    case .relu: .relu
    case .none: .none
    case .exp: .exp
    }
  }
}
