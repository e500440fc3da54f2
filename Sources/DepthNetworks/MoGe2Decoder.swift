import NeuralEngine

/// A residual block without norms: x + conv2(ReLU(conv1(ReLU(x)))).
private struct ResidualBlock: Layer {
  let relu: ReLU
  let conv1, conv2: Conv2D

  init(_ weights: WeightScope, _ block: String, _ channels: Int) throws {
    relu = ReLU("\(block).relu")
    func convolution(_ layer: String, _ activation: Activation) throws -> Conv2D {
      try Conv2D(
        weights, "\(block).layers.\(layer)", kernelSize: 3, border: .repeated, channels, channels,
        hasBias: true, activation: activation, measuredScale: .map)
    }
    (conv1, conv2) = (try convolution("2", .relu), try convolution("5", .none))
  }

  func callAsFunction(_ x: Node) -> Node { conv2(conv1(relu(x)), adding: x) }
}

/// Levels 1 to 3 of the neck or of a head. Each level doubles the size, adds its own input, and runs residual
/// blocks.
private struct Ladder {
  private let doubled: [TransposedConv2D]
  private let smoothed: [Conv2D]
  private let blocks: [Sequential]

  init(_ weights: WeightScope, _ stack: String, width: Int, blocks count: Int) throws {
    let channels = [width] + MoGe2Configuration.ladder
    let levels = 0..<MoGe2Configuration.ladder.count
    doubled = try levels.map {
      try TransposedConv2D(
        weights, "\(stack).resamplers.\($0).0", stride: 2, channels[$0], channels[$0 + 1])
    }
    smoothed = try levels.map {
      try Conv2D(
        weights, "\(stack).resamplers.\($0).1", kernelSize: 3, border: .repeated, channels[$0 + 1],
        channels[$0 + 1], hasBias: true, measuredScale: .map)
    }
    blocks = try levels.map { level in
      Sequential(
        try (0..<count).map {
          try ResidualBlock(weights, "\(stack).res_blocks.\(level + 1).\($0)", channels[level + 1])
        })
    }
  }

  /// All levels, beginning with level 0.
  ///
  /// - Parameter own: Returns the input of a level, at the size of a map.
  func callAsFunction(_ first: Node, own: (_ level: Int, _ sizeOf: Node) -> Node) -> [Node] {
    var levels = [first]
    for index in blocks.indices {
      let larger = doubled[index](levels[index])
      levels.append(blocks[index](smoothed[index](larger, adding: own(index + 1, larger))))
    }
    return levels
  }
}

/// The linear finest level, without a ReLU. It maps the previous level to four phases of every output.
private func finest(
  _ weights: WeightScope, _ part: String, _ configuration: MoGe2Configuration
) throws -> Conv2D {
  try Conv2D(
    weights, "finest.\(part)", kernelSize: 3, border: .repeated,
    MoGe2Configuration.ladder.last ?? 0, 4 * configuration.outputs)
}

/// The neck, which makes maps of 1, 2, 4 and 8 pixels along a patch from the encoder's map and the view plane.
struct MoGe2Neck {
  private let input: Conv2D
  private let views: [ViewPlaneProjection2D]
  private let ladder: Ladder
  private let last: Conv2D

  init(_ weights: WeightScope, _ configuration: MoGe2Configuration) throws {
    let width = configuration.encoder.width
    input = try Conv2D(
      weights, "neck.input_blocks.0", kernelSize: 1, width, width, measuredScale: .map)
    views = try ([width] + MoGe2Configuration.ladder).enumerated().map {
      try ViewPlaneProjection2D(weights, "neck.view.\($0)", $1)
    }
    ladder = try Ladder(weights, "neck", width: width, blocks: configuration.neckBlocks)
    last = try DepthNetworks.finest(weights, "neck", configuration)
  }

  func callAsFunction(_ map: Node) -> [Node] {
    ladder(input(map, adding: views[0](map))) { views[$0]($1) }
  }

  /// The neck's contribution to all outputs.
  func finest(_ level: Node) -> Node { last(level) }
}

/// A head, which processes the neck's maps from coarse to fine.
struct MoGe2Head {
  private let inputs: [Conv2D]
  private let ladder: Ladder
  private let last: Conv2D

  init(_ weights: WeightScope, _ head: String, _ configuration: MoGe2Configuration) throws {
    let width = configuration.encoder.width
    inputs = try ([width] + MoGe2Configuration.ladder).enumerated().map {
      try Conv2D(
        weights, "\(head).input_blocks.\($0)", kernelSize: 1, $1, $1, hasBias: true,
        measuredScale: .map)
    }
    ladder = try Ladder(weights, head, width: width, blocks: 1)
    last = try DepthNetworks.finest(weights, head, configuration)
  }

  /// The head's finest map.
  func callAsFunction(_ neck: [Node]) -> Node {
    let levels = ladder(inputs[0](neck[0])) { level, _ in inputs[level](neck[level]) }
    return levels[levels.count - 1]
  }

  /// Adds the head's contribution to all outputs to the other contributions.
  func finest(_ map: Node, adding others: Node) -> Node { last(map, adding: others) }
}
