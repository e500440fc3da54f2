/// A value of `model_config` in a pickle.
package indirect enum PickledConfig {
  case null
  case integer(Int)
  case text(String)
  case list([PickledConfig])
  case dictionary([(key: String, value: PickledConfig)])

  package static func integers(_ values: [Int]) -> PickledConfig {
    .list(values.map { .integer($0) })
  }

  /// The value's opcodes in pickle protocol 2.
  var opcodes: [UInt8] {
    func number(_ value: Int) -> [UInt8] {
      (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    switch self {
    case .null: return [UInt8(ascii: "N")]
    case .integer(let value): return [UInt8(ascii: "J")] + number(value)
    case .text(let text): return [UInt8(ascii: "X")] + number(text.utf8.count) + Array(text.utf8)
    case .list(let values):
      return [UInt8(ascii: "]"), UInt8(ascii: "(")] + values.flatMap(\.opcodes) + [
        UInt8(ascii: "e")
      ]
    case .dictionary(let items):
      return [UInt8(ascii: "}"), UInt8(ascii: "(")]
        + items.flatMap { PickledConfig.text($0.key).opcodes + $0.value.opcodes }
        + [UInt8(ascii: "u")]
    }
  }

  /// The pickle of a checkpoint with this configuration and a pickled state dict.
  func wrapping(_ state: [UInt8]) -> [UInt8] {
    let text = PickledConfig.text
    return [0x80, 2, UInt8(ascii: "}"), UInt8(ascii: "(")] + text("model_config").opcodes + opcodes
      + text("model").opcodes + state.dropFirst(2).dropLast() + [
        UInt8(ascii: "u"), UInt8(ascii: "."),
      ]
  }
}

/// Generated weights of MoGe-2 under its authors' names.
extension PublishedWeights {
  /// The names and channels of the heads.
  package static let moGe2Heads = [("points_head", 3), ("mask_head", 1), ("normal_head", 3)]

  /// Weights that keep activations near 1.
  ///
  /// - Parameters:
  ///   - width: The number of channels of a token.
  ///   - taken: Blocks whose maps are taken, counted from 1. The last number is the last block.
  ///   - neckBlocks: The number of residual blocks in a level of the neck.
  ///   - hasNormals: Whether the network has a head for normals.
  package static func moGe2(
    width: Int = 64, taken: [Int] = [1, 2], neckBlocks: Int = 1, hasNormals: Bool = true
  ) -> PublishedWeights {
    var tensors: [String: Tensor] = [
      "encoder.image_mean": Tensor(shape: [1, 3, 1, 1], values: [0.485, 0.456, 0.406]),
      "encoder.image_std": Tensor(shape: [1, 3, 1, 1], values: [0.229, 0.224, 0.225]),
    ]
    func add(_ name: String, _ shape: [Int], _ rule: WeightRule) {
      tensors[name] = Tensor(
        shape: shape, values: GeneratedTensor(name: name, shape: shape, rule: rule).elements())
    }
    func layer(_ name: String, _ shape: [Int], fan: Int? = nil, gain: Float = 1) {
      let fan = Float(fan ?? shape.dropFirst().reduce(1, *))
      add("\(name).weight", shape, .symmetric(gain * (3 / fan).squareRoot()))
      add("\(name).bias", [shape[0]], .symmetric(0.125))
    }
    func norm(_ name: String) {
      add("\(name).weight", [width], .range(low: 0.75, span: 0.5))
      add("\(name).bias", [width], .symmetric(0.25))
    }
    let backbone = "encoder.backbone."
    layer("\(backbone)patch_embed.proj", [width, 3, 14, 14])
    add("\(backbone)cls_token", [1, 1, width], .symmetric(0.5))
    add("\(backbone)pos_embed", [1, 1370, width], .symmetric(0.5))
    add("\(backbone)mask_token", [1, width], .symmetric(0.5))
    for block in 0..<(taken.last ?? 0) {
      let name = "\(backbone)blocks.\(block)"
      norm("\(name).norm1")
      layer("\(name).attn.qkv", [3 * width, width])
      layer("\(name).attn.proj", [width, width])
      add("\(name).ls1.gamma", [width], .range(low: 0.25, span: 0.5))
      norm("\(name).norm2")
      layer("\(name).mlp.fc1", [4 * width, width])
      layer("\(name).mlp.fc2", [width, 4 * width])
      add("\(name).ls2.gamma", [width], .range(low: 0.25, span: 0.5))
    }
    norm("\(backbone)norm")
    for index in taken.indices {
      layer("encoder.output_projections.\(index)", [width, width, 1, 1], gain: 0.7)
    }
    let channels = [width, 256, 128, 64, 32]
    let heads = moGe2Heads.prefix(hasNormals ? 3 : 2)
    for (stack, blocks) in [("neck", neckBlocks)] + heads.map({ ($0.0, 1) }) {
      for level in 0..<5 {
        let inputs = stack != "neck" ? channels[level] : level == 0 ? width + 2 : 2
        layer("\(stack).input_blocks.\(level)", [channels[level], inputs, 1, 1], gain: 0.7)
      }
      for level in 0..<3 {
        let (inputs, outputs) = (channels[level], channels[level + 1])
        let name = "\(stack).resamplers.\(level)"
        add(
          "\(name).0.weight", [inputs, outputs, 2, 2], .symmetric((3 / Float(inputs)).squareRoot()))
        add("\(name).0.bias", [outputs], .symmetric(0.125))
        layer("\(name).1", [outputs, outputs, 3, 3], gain: 0.7)
        for block in 0..<blocks {
          for part in ["2", "5"] {
            layer(
              "\(stack).res_blocks.\(level + 1).\(block).layers.\(part)", [outputs, outputs, 3, 3])
          }
        }
      }
      layer("\(stack).resamplers.3.1", [32, 64, 3, 3])
    }
    for (head, outputs) in heads {
      layer("\(head).output_blocks.4", [outputs, 32, 1, 1], gain: 0.3)
    }
    for (index, outputs) in [(0, width), (2, width), (4, 1)] {
      layer("scale_head.\(index)", [outputs, width], gain: index == 4 ? 0.25 : 1)
    }
    return PublishedWeights(tensors: tensors)
  }

  /// The configuration of a published file.
  ///
  /// - Parameter changes: Values by path, such as `neck.dim_in`. `nil` removes the published value.
  package static func moGe2Config(
    backbone: String = "dinov2_vits14", width: Int = 384, layers: [Int] = [5, 11],
    neckBlocks: Int = 1, hasNormals: Bool = true, changes: [String: PickledConfig?] = [:]
  ) -> PickledConfig {
    let channels = [width, 256, 128, 64, 32]
    func dictionary(_ path: String, _ items: [(String, PickledConfig)]) -> PickledConfig {
      .dictionary(
        items.compactMap { key, value in
          let full = path.isEmpty ? key : "\(path).\(key)"
          guard let change = changes[full] else { return (key, value) }
          return change.map { (key, $0) }
        })
    }
    func stack(_ name: String, _ inputs: [Int], _ outputs: Int?, _ blocks: Int) -> (
      String, PickledConfig
    ) {
      (
        name,
        dictionary(
          name,
          [
            ("dim_in", .integers(inputs)),
            (
              "dim_out",
              outputs.map { .list([.null, .null, .null, .null, .integer($0)]) } ?? .null
            ),
            ("dim_res_blocks", .integers(channels)),
            ("num_res_blocks", .integers([0, blocks, blocks, blocks, 0])),
            ("res_block_in_norm", .text("none")), ("res_block_hidden_norm", .text("none")),
            (
              "resamplers",
              .list(
                [PickledConfig](repeating: .text("conv_transpose"), count: 3) + [.text("bilinear")])
            ),
          ])
      )
    }
    return dictionary(
      "",
      [
        (
          "encoder",
          dictionary(
            "encoder",
            [
              ("backbone", .text(backbone)), ("intermediate_layers", .integers(layers)),
              ("dim_out", .integer(width)),
            ])
        ), stack("neck", [width + 2, 2, 2, 2, 2], nil, neckBlocks),
      ] + moGe2Heads.prefix(hasNormals ? 3 : 2).map { stack($0.0, channels, $0.1, 1) } + [
        ("scale_head", dictionary("scale_head", [("dims", .integers([width, width, width, 1]))])),
        ("remap_output", .text("exp")), ("num_tokens_range", .integers([1200, 3600])),
      ])
  }
}
