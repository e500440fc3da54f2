/// The two naming schemes of Depth Anything V2's tensors: the authors' scheme, used as the common form, and the scheme of
/// transformers.
enum DepthAnythingNames {
  /// The authors' name for a tensor of transformers.
  enum Renamed: Equatable {
    case whole(String)
    /// The query, key or value (0…2) of a joint tensor.
    case part(Int, of: String)
  }

  static func isHub(_ names: some Sequence<String>) -> Bool {
    names.contains { $0.hasPrefix("backbone.") || $0.hasPrefix("neck.") }
  }

  /// Whether no computation uses a tensor of an authors' file.
  static func isUnused(_ name: String) -> Bool {
    name == "pretrained.mask_token" || name.hasPrefix("depth_head.scratch.refinenet4.resConfUnit1.")
  }

  /// The authors' name for a tensor of transformers; `nil` for an unknown name.
  static func renamed(_ name: String) -> Renamed? {
    if let whole = fixed[name] { return .whole(whole) }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard let parameter = parts.last else { return nil }
    if parts.count > 5, name.hasPrefix("backbone.encoder.layer."), isNumber(parts[3]) {
      return block(parts[3], parts[4...].joined(separator: "."))
    }
    guard ["weight", "bias"].contains(parameter) else { return nil }
    let module = parts.dropLast().joined(separator: ".")
    if let layer = modules[module] { return .whole("\(layer).\(parameter)") }
    guard parts.count > 4, name.hasPrefix("neck.fusion_stage.layers."), let layer = Int(parts[3]),
      (0...3).contains(layer)
    else { return nil }
    // Transformers counts from the coarsest map; the authors count from the finest.
    return fusion(parts[4..<parts.count - 1].joined(separator: ".")).map {
      .whole("depth_head.scratch.refinenet\(4 - layer).\($0).\(parameter)")
    }
  }

  private static func isNumber(_ text: String) -> Bool {
    text.count <= 3 && Int(text).map { "\($0)" == text } ?? false
  }

  /// The authors' name for a tensor of an encoder block.
  private static func block(_ number: String, _ name: String) -> Renamed? {
    let prefix = "pretrained.blocks.\(number)."
    for (index, part) in ["query", "key", "value"].enumerated() {
      for parameter in ["weight", "bias"] where name == "attention.attention.\(part).\(parameter)" {
        return .part(index, of: prefix + "attn.qkv.\(parameter)")
      }
    }
    for parameter in ["weight", "bias"] {
      if name == "attention.output.dense.\(parameter)" {
        return .whole(prefix + "attn.proj.\(parameter)")
      }
      for layer in ["norm1", "norm2", "mlp.fc1", "mlp.fc2"] where name == "\(layer).\(parameter)" {
        return .whole(prefix + name)
      }
    }
    for scale in ["1", "2"] where name == "layer_scale\(scale).lambda1" {
      return .whole(prefix + "ls\(scale).gamma")
    }
    return nil
  }

  private static func fusion(_ name: String) -> String? {
    if name == "projection" { return "out_conv" }
    for unit in ["1", "2"] {
      for convolution in ["1", "2"] where name == "residual_layer\(unit).convolution\(convolution)"
      {
        return "resConfUnit\(unit).conv\(convolution)"
      }
    }
    return nil
  }

  private static let fixed: [String: String] = {
    var names = [
      "backbone.embeddings.cls_token": "pretrained.cls_token",
      "backbone.embeddings.mask_token": "pretrained.mask_token",
      "backbone.embeddings.position_embeddings": "pretrained.pos_embed",
    ]
    for index in 0..<4 {
      names["neck.convs.\(index).weight"] = "depth_head.scratch.layer\(index + 1)_rn.weight"
    }
    return names
  }()

  private static let modules: [String: String] = {
    var names = [
      "backbone.embeddings.patch_embeddings.projection": "pretrained.patch_embed.proj",
      "backbone.layernorm": "pretrained.norm", "head.conv1": "depth_head.scratch.output_conv1",
      "head.conv2": "depth_head.scratch.output_conv2.0",
      "head.conv3": "depth_head.scratch.output_conv2.2",
    ]
    for index in 0..<4 {
      names["neck.reassemble_stage.layers.\(index).projection"] = "depth_head.projects.\(index)"
    }
    for index in [0, 1, 3] {
      names["neck.reassemble_stage.layers.\(index).resize"] = "depth_head.resize_layers.\(index)"
    }
    return names
  }()
}
