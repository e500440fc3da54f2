import DepthErrors

/// The layers of MoGe-2 and their tensors under the authors' names, derived from the configuration in the file.
///
/// > Source: the authors' code at revision 0744441.
struct MoGe2Layout {
  /// Width and number of blocks, keyed by the encoder's name.
  private static let backbones: [String: (width: Int, blocks: Int)] = [
    "dinov2_vits14": (384, 12), "dinov2_vitb14": (768, 12), "dinov2_vitl14": (1024, 24),
  ]
  static let inputSide = 518
  static let encoder = "encoder.backbone."
  private static let ladder = [256, 128, 64, 32]
  /// The heads and their channels, in the order of the engine's outputs.
  static let allHeads: [(name: String, outputs: Int)] = [
    ("points_head", 3), ("mask_head", 1), ("normal_head", 3),
  ]

  let width, blocks, neckBlocks: Int
  /// Numbers of the blocks after which maps are taken, from 1.
  let takenBlocks: [Int]
  var heads = Self.allHeads

  var hasNormals: Bool { heads.count == Self.allHeads.count }
  /// Channels of levels 0 to 4.
  var channels: [Int] { [width] + Self.ladder }
  /// Total number of the heads' outputs.
  var outputs: Int { heads.reduce(0) { $0 + $1.outputs } }

  /// Whether these are probably tensors of MoGe.
  static func isLikely(_ names: some Sequence<String>) -> Bool {
    names.contains { $0.hasPrefix(encoder) }
  }

  /// The sources of all tensors of the file, keyed by the engine's names for unchanged tensors and by the authors' names
  /// for other tensors.
  var sources: [String: TensorSource] {
    var sources = TensorSource.encoder(
      Self.encoder, width: width, blocks: blocks, trainedSide: Self.inputSide / 14)
    func same(_ layer: String, _ inputs: Int, _ outputs: Int, kernelSize: Int = 1) {
      sources.addConvolution(layer, in: layer, inputs, outputs, kernelSize: kernelSize)
    }
    for index in takenBlocks.indices {
      sources.addConvolution(
        "output_projections.\(index)", in: "encoder.output_projections.\(index)", width, width,
        kernelSize: 1)
    }
    for (stack, count) in [("neck", neckBlocks)] + heads.map({ ($0.name, 1) }) {
      for level in 0..<5 {
        let inputs = stack != "neck" ? channels[level] : level == 0 ? width + 2 : 2
        same("\(stack).input_blocks.\(level)", inputs, channels[level])
      }
      for level in 0..<3 {
        let layer = "\(stack).resamplers.\(level)"
        let outputs = channels[level + 1]
        sources.addConvolution(
          "\(layer).0", in: "\(layer).0", channels[level], outputs, kernelSize: 2,
          isTransposed: true)
        same("\(layer).1", outputs, outputs, kernelSize: 3)
        for block in 0..<count {
          for part in ["2", "5"] {
            same(
              "\(stack).res_blocks.\(level + 1).\(block).layers.\(part)", outputs, outputs,
              kernelSize: 3)
          }
        }
      }
      same("\(stack).resamplers.3.1", channels[3], channels[4], kernelSize: 3)
    }
    for head in heads { same("\(head.name).output_blocks.4", channels[4], head.outputs) }
    for (layer, outputs) in [(0, width), (2, width), (4, 1)] {
      sources["scale_head.\(layer)/kernel"] = TensorSource(
        name: "scale_head.\(layer).weight", shape: [outputs, width],
        engineShape: [outputs, width, 1, 1])
      sources.addVector("scale_head.\(layer)/bias", "scale_head.\(layer).bias", outputs)
    }
    return sources
  }
}

extension MoGe2Layout {
  /// - Throws: `DepthError` for a configuration of no published MoGe-2 network.
  init(_ config: ModelConfig?, file: String) throws {
    guard let config, case .dictionary = config else {
      throw DepthError(
        .weightsMismatch, file: file,
        "has no dictionary 'model_config' beside its tensors, expected the file that MoGe's authors publish"
      )
    }
    func found(_ path: String) -> ModelConfig? {
      path.split(separator: ".").reduce(config as ModelConfig?) { $0?[String($1)] }
    }
    func refused(_ path: String, _ expected: String) -> DepthError {
      DepthError(
        .weightsMismatch, file: file,
        "model_config.\(path) is \(found(path)?.description ?? "missing"), expected \(expected)")
    }
    func expect(_ path: String, _ value: ModelConfig, isOptional: Bool = false) throws {
      guard found(path) == value || isOptional && found(path) == nil else {
        throw refused(path, value.description)
      }
    }
    func integers(_ values: [Int]) -> ModelConfig { .list(values.map(ModelConfig.integer)) }

    guard case .text(let name)? = found("encoder.backbone"), let size = Self.backbones[name] else {
      throw refused("encoder.backbone", Self.backbones.keys.sorted().joined(separator: " or "))
    }
    (width, blocks) = size
    let channels = [width] + Self.ladder
    let taken = found("encoder.intermediate_layers")?.integers ?? []
    guard (1...8).contains(taken.count), taken.last == blocks - 1, taken[0] >= 0,
      zip(taken, taken.dropFirst()).allSatisfy({ $0 < $1 })
    else {
      throw refused("encoder.intermediate_layers", "ascending numbers that end with \(blocks - 1)")
    }
    takenBlocks = taken.map { $0 + 1 }
    try expect("encoder.dim_out", .integer(width))
    let neck = found("neck.num_res_blocks")?.integers ?? []
    guard neck.count == 5, (1...8).contains(neck[1]),
      neck == [0, neck[1], neck[1], neck[1], 0]
    else { throw refused("neck.num_res_blocks", "[0, n, n, n, 0] with n of 1 to 8") }
    neckBlocks = neck[1]
    heads = Self.allHeads.filter { $0.name != "normal_head" || found($0.name) != nil }
    for (stack, inputs, outputs) in [("neck", [width + 2, 2, 2, 2, 2], nil)]
      + heads.map({ ($0.name, channels, $0.outputs as Int?) })
    {
      try expect("\(stack).dim_in", integers(inputs))
      try expect("\(stack).dim_res_blocks", integers(channels))
      if let outputs {
        try expect(
          "\(stack).dim_out",
          .list([ModelConfig](repeating: .none, count: 4) + [.integer(outputs)]))
        try expect("\(stack).num_res_blocks", integers([0, 1, 1, 1, 0]))
      }
      try expect(
        "\(stack).resamplers",
        .list([ModelConfig](repeating: .text("conv_transpose"), count: 3) + [.text("bilinear")]))
      try expect("\(stack).res_block_in_norm", .text("none"))
      try expect("\(stack).res_block_hidden_norm", .text("none"))
      try expect("\(stack).activation", .text("relu"), isOptional: true)
    }
    try expect("scale_head.dims", integers([width, width, width, 1]))
    try expect("remap_output", .text("exp"))
  }
}
