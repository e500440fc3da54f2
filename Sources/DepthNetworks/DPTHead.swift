import NeuralEngine

/// x + conv2(ReLU(conv1(ReLU(x)))).
private struct ResidualConvUnit {
  let conv1, conv2: Conv2D
  let relu: ReLU

  // swift-format-ignore
  init(_ weights: WeightScope, _ unit: String, _ features: Int) throws {
    relu = ReLU("\(unit).relu")
    conv1 = try Conv2D(weights, "\(unit).conv1", kernelSize: 3, features, features, hasBias: true, activation: .relu)
    conv2 = try Conv2D(weights, "\(unit).conv2", kernelSize: 3, features, features, hasBias: true)
  }

  func callAsFunction(_ x: Node) -> Node { conv2(conv1(relu(x)), adding: x) }
}

/// One level of the fusion. Its 1×1 convolution and its resize commute, since both are linear. The convolution comes first, at
/// a quarter of the pixels.
private struct Refinement {
  /// Filters the level's own map; `nil` at the coarsest level, where no coarser map is added.
  let resConfUnit1: ResidualConvUnit?
  let resConfUnit2: ResidualConvUnit
  let outConv: Conv2D
  let resize: Resize2D

  // swift-format-ignore
  init(_ weights: WeightScope, _ name: String, _ features: Int, isCoarsest: Bool) throws {
    resConfUnit1 = isCoarsest ? nil : try ResidualConvUnit(weights, "\(name).resConfUnit1", features)
    resConfUnit2 = try ResidualConvUnit(weights, "\(name).resConfUnit2", features)
    outConv = try Conv2D(weights, "\(name).out_conv", kernelSize: 1, features, features, hasBias: true)
    resize = Resize2D("\(name).resize")
  }

  /// - Parameters:
  ///   - map: The level's own map.
  ///   - coarser: The next coarser level's result, of any size.
  func callAsFunction(_ map: Node, adding coarser: Node?) -> Node {
    var x = map
    if let resConfUnit1, let coarser { x = resize(coarser, adding: resConfUnit1(map)) }
    return outConv(resConfUnit2(x))
  }
}

/// The head, which converts four maps of one size to four levels of a pyramid and fuses the levels from coarse to fine.
///
/// > Source: R. Ranftl, A. Bochkovskiy, V. Koltun. “Vision Transformers for Dense Prediction.” ICCV 2021.
/// > [arXiv:2103.13413](https://arxiv.org/abs/2103.13413), figure 1.
struct DPTHead {
  let projects: [Conv2D]
  /// Resizing to 4, 2, 1 and ½ times the size; `nil` for the factor 1.
  let resizeLayers: [(any Layer)?]
  let layersRn: [Conv2D]
  private let refinenets: [Refinement]
  let doubled = Resize2D("refinenet1.doubled")
  let outputConv1: Conv2D
  let outputConv2: DenseOutput2D

  // swift-format-ignore
  init(_ weights: WeightScope, _ configuration: DepthAnythingConfiguration) throws {
    let (channels, features) = (configuration.channels, configuration.features)
    projects = try (0..<4).map {
      try Conv2D(weights, "projects.\($0)", kernelSize: 1, configuration.width, channels[$0], hasBias: true)
    }
    resizeLayers = [
      try TransposedConv2D(weights, "resize_layers.0", stride: 4, channels[0], channels[0]),
      try TransposedConv2D(weights, "resize_layers.1", stride: 2, channels[1], channels[1]),
      nil,
      try Conv2D(weights, "resize_layers.3", kernelSize: 3, stride: 2, channels[3], channels[3], hasBias: true),
    ]
    layersRn = try (0..<4).map { try Conv2D(weights, "layer\($0 + 1)_rn", kernelSize: 3, channels[$0], features) }
    refinenets = try (0..<4).map {
      try Refinement(weights, "refinenet\($0 + 1)", features, isCoarsest: $0 == 3)
    }
    outputConv1 = try Conv2D(weights, "output_conv1", kernelSize: 3, features, features / 2, hasBias: true)
    outputConv2 = try DenseOutput2D(
      weights, "output_conv2.0", "output_conv2.2", features / 2, hiddenChannels: configuration.lastHidden,
      activation: configuration.output.activation)
  }

  /// - Parameters:
  ///   - taken: Four maps of the encoder, earliest first.
  ///   - image: The network's input.
  func callAsFunction(_ taken: [Node], sizeOf image: Node) -> Node {
    let levels = taken.indices.map { level in
      let map = projects[level](taken[level])
      return layersRn[level](resizeLayers[level]?(map) ?? map)
    }
    var x: Node?
    for (refinenet, map) in zip(refinenets, levels).reversed() { x = refinenet(map, adding: x) }
    guard let x else { preconditionFailure("no levels, expected four") }
    return outputConv2(outputConv1(doubled.doubled(x)), sizeOf: image)
  }
}

extension DepthAnythingConfiguration.Output {
  /// The activation of the last convolution.
  fileprivate var activation: DenseActivation {
    switch self {
    case .metres(let largest): .sigmoid(largest: largest)
    case .relativeDisparity: .relu
    }
  }
}
