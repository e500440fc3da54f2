import NeuralEngine

/// Weights of published networks, written number by number in the published formats.
package struct PublishedWeights {
  /// Types of numbers.
  package enum Number: CaseIterable, Sendable {
    case float32, float16, bfloat16

    fileprivate var names: (safetensors: String, torch: String) {
      switch self {
      case .float32: ("F32", "FloatStorage")
      case .float16: ("F16", "HalfStorage")
      case .bfloat16: ("BF16", "BFloat16Storage")
      }
    }

    fileprivate func bytes(_ values: [Float]) -> [UInt8] {
      var bytes: [UInt8] = []
      bytes.reserveCapacity(4 * values.count)
      for value in values {
        let bits =
          switch self {
          case .float32: value.bitPattern
          case .float16: UInt32(Float16(value).bitPattern)
          case .bfloat16: (value.bitPattern + 0x8000) >> 16
          }
        for byte in 0..<(self == .float32 ? 4 : 2) as Range<UInt32> {
          bytes.append(UInt8(truncatingIfNeeded: bits >> (8 * byte)))
        }
      }
      return bytes
    }

    /// `value`, rounded to this type.
    package func rounded(_ value: Float) -> Float {
      switch self {
      case .float32: value
      case .float16: Float(Float16(value))
      case .bfloat16: Float(bitPattern: (value.bitPattern + 0x8000) & 0xFFFF_0000)
      }
    }
  }

  /// A tensor of a state dict.
  package struct Tensor {
    package var shape: [Int]
    package var values: [Float]

    package init(shape: [Int], values: [Float]) { (self.shape, self.values) = (shape, values) }
  }

  /// The tensors by the authors' names.
  package var tensors: [String: Tensor]

  /// Factors of LayerScale. Powers of two divide kernels exactly.
  package static let (attentionFactor, hiddenFactor): (Float, Float) = (0.5, 2)

  /// The narrowest network with a published number of blocks.
  package static var sizes: DepthAnythingSizes {
    var sizes = DepthAnythingSizes()
    (sizes.hidden, sizes.inputSide) = (4 * sizes.width, 518)
    (sizes.blocks, sizes.takenBlocks) = (12, [3, 6, 9, 12])
    return sizes
  }

  package init(tensors: [String: Tensor]) { self.tensors = tensors }

  /// Generated weights of Depth Anything V2 in the authors' form.
  package init(_ weights: GeneratedWeights) throws {
    tensors = [:]
    for generated in weights.tensors {
      let (name, shape) = (generated.name, generated.shape)
      var values = try weights.elements(of: name)
      let layer = String(name.prefix { $0 != "/" })
      let factor = Self.factor(of: name)
      values = values.map { $0 / factor }
      var stored = shape
      if name.hasSuffix("/kernel"), layer.hasPrefix("blocks.") { stored = Array(shape.prefix(2)) }
      if ["resize_layers.0/kernel", "resize_layers.1/kernel"].contains(name) {
        let (outputs, inputs, area) = (shape[0], shape[1], shape[2] * shape[3])
        stored = [inputs, outputs] + shape[2...]
        values = (0..<values.count).map { index in
          let (input, output) = (index / (outputs * area), index / area % outputs)
          return values[(output * inputs + input) * area + index % area]
        }
      }
      if layer == "embeddings" {
        stored = name.hasSuffix("positions") ? [1] + shape : [1, 1] + shape
      }
      tensors[Self.authorsName(name)] = Tensor(shape: stored, values: values)
    }
    let width = Self.sizes.width
    for name in tensors.keys where name.hasSuffix(".attn.proj.bias") {
      let block = name.dropLast("attn.proj.bias".count)
      for (scale, factor) in [(1, Self.attentionFactor), (2, Self.hiddenFactor)] {
        tensors["\(block)ls\(scale).gamma"] = Tensor(
          shape: [width], values: [Float](repeating: factor, count: width))
      }
    }
    tensors["pretrained.mask_token"] = Tensor(
      shape: [1, width], values: [Float](repeating: 0, count: width))
  }

  /// The four blocks as the 3rd, 6th, 9th and 12th of twelve. LayerScale sets other blocks to 0.
  package var ofTwelveBlocks: PublishedWeights {
    let prefix = "pretrained.blocks."
    var copy = PublishedWeights(tensors: tensors.filter { !$0.key.hasPrefix(prefix) })
    for (name, tensor) in tensors where name.hasPrefix(prefix) {
      let parts = name.dropFirst(prefix.count).split(separator: ".", maxSplits: 1)
      let last = 3 * (Int(parts[0]) ?? 0) + 2
      for block in last - 2...last {
        var part = tensor
        if name.hasSuffix(".gamma"), block < last { part.values = part.values.map { _ in 0 } }
        copy.tensors["\(prefix)\(block).\(parts[1])"] = part
      }
    }
    return copy
  }

  /// The factor of LayerScale for a tensor of the engine, which is 1 for most tensors.
  package static func factor(of name: String) -> Float {
    let layer = name.prefix { $0 != "/" }
    if layer.hasSuffix("attn.proj") { return attentionFactor }
    return layer.hasSuffix("mlp.fc2") ? hiddenFactor : 1
  }

  private static func authorsName(_ name: String) -> String {
    let parts = name.split(separator: "/").map(String.init)
    let parameter = ["kernel": "weight", "gamma": "weight", "beta": "bias"][parts[1]] ?? parts[1]
    switch parts[0] {
    case "embeddings":
      return parts[1] == "positions" ? "pretrained.pos_embed" : "pretrained.cls_token"
    case "patch_embed": return "pretrained.patch_embed.proj.\(parameter)"
    case let layer where layer.hasPrefix("blocks.") || layer == "norm":
      return "pretrained.\(layer).\(parameter)"
    case let layer where layer.hasPrefix("projects.") || layer.hasPrefix("resize_layers."):
      return "depth_head.\(layer).\(parameter)"
    case let layer: return "depth_head.scratch.\(layer).\(parameter)"
    }
  }

  /// The tensors under transformers' names, with separate query, key and value.
  package var ofTransformers: PublishedWeights {
    var copy = self
    copy.tensors = [:]
    for (name, tensor) in tensors {
      guard name.contains(".attn.qkv.") else {
        copy.tensors[Self.hubName(name)] = tensor
        continue
      }
      let block = name.split(separator: ".")[2]
      let parameter = name.split(separator: ".").last ?? ""
      let count = tensor.values.count / 3
      for (index, part) in ["query", "key", "value"].enumerated() {
        copy.tensors["backbone.encoder.layer.\(block).attention.attention.\(part).\(parameter)"] =
          Tensor(
            shape: [tensor.shape[0] / 3] + tensor.shape.dropFirst(),
            values: Array(tensor.values[index * count..<(index + 1) * count]))
      }
    }
    return copy
  }

  private static func hubName(_ name: String) -> String {
    let replaced = [
      ("pretrained.cls_token", "backbone.embeddings.cls_token"),
      ("pretrained.mask_token", "backbone.embeddings.mask_token"),
      ("pretrained.pos_embed", "backbone.embeddings.position_embeddings"),
      ("pretrained.patch_embed.proj", "backbone.embeddings.patch_embeddings.projection"),
      ("pretrained.norm.", "backbone.layernorm."),
      ("pretrained.blocks.", "backbone.encoder.layer."),
      (".attn.proj.", ".attention.output.dense."), (".ls1.gamma", ".layer_scale1.lambda1"),
      (".ls2.gamma", ".layer_scale2.lambda1"),
      ("depth_head.scratch.output_conv1", "head.conv1"),
      ("depth_head.scratch.output_conv2.0", "head.conv2"),
      ("depth_head.scratch.output_conv2.2", "head.conv3"),
    ].reduce(name) { $0.replacing($1.0, with: $1.1) }
    let parts = replaced.split(separator: ".").map(String.init)
    guard parts[0] == "depth_head" else { return replaced }
    switch parts[1] {
    case "projects": return "neck.reassemble_stage.layers.\(parts[2]).projection.\(parts[3])"
    case "resize_layers": return "neck.reassemble_stage.layers.\(parts[2]).resize.\(parts[3])"
    default: break
    }
    if parts[2].hasSuffix("_rn") {
      return "neck.convs.\((Int(parts[2].dropFirst(5).prefix(1)) ?? 0) - 1).weight"
    }
    let layer = 4 - (Int(parts[2].suffix(1)) ?? 0)
    let module =
      parts[3] == "out_conv"
      ? "projection" : "residual_layer\(parts[3].suffix(1)).convolution\(parts[4].suffix(1))"
    return "neck.fusion_stage.layers.\(layer).\(module).\(parts.last ?? "")"
  }

  // MARK: - Files

  /// A safetensors file.
  package func safetensors(_ number: Number = .float32) -> [UInt8] {
    var (entries, content): ([String], [UInt8]) = (["\"__metadata__\":{\"format\":\"pt\"}"], [])
    for (name, tensor) in tensors.sorted(by: { $0.key < $1.key }) {
      let bytes = number.bytes(tensor.values)
      entries.append(
        "\"\(name)\":{\"dtype\":\"\(number.names.safetensors)\",\"shape\":\(tensor.shape),"
          + "\"data_offsets\":[\(content.count),\(content.count + bytes.count)]}")
      content += bytes
    }
    let header = Array("{\(entries.joined(separator: ","))}".utf8)
    return littleEndian(UInt64(header.count), 8) + header + content
  }

  /// A file like `torch.save` writes for a state dict.
  ///
  /// - Parameters:
  ///   - hasByteOrder: Whether the archive has the member that PyTorch 1.6 omits.
  ///   - isZIP64: Whether the sizes and offsets of members are 64-bit fields.
  ///   - sharesStorage: Whether all tensors are parts of one storage.
  ///   - config: The value of `model_config`. The state dict is then in `model`.
  package func torchFile(
    _ number: Number = .float32, hasByteOrder: Bool = true, isZIP64: Bool = false,
    sharesStorage: Bool = false, config: PickledConfig? = nil
  ) -> [UInt8] {
    var (storages, views): ([[Float]], [View]) = ([], [])
    for (name, tensor) in tensors.sorted(by: { $0.key < $1.key }) {
      if storages.isEmpty || !sharesStorage { storages.append([]) }
      let storage = storages.count - 1
      views.append(
        View(name: name, shape: tensor.shape, storage: storage, offset: storages[storage].count))
      storages[storage] += tensor.values
    }
    var members: [(String, [UInt8])] = []
    let state = pickle(views, of: storages.map(\.count), number)
    members.append(("archive/data.pkl", config?.wrapping(state) ?? state))
    if hasByteOrder { members.append(("archive/byteorder", Array("little".utf8))) }
    for (index, values) in storages.enumerated() {
      members.append(("archive/data/\(index)", number.bytes(values)))
    }
    members.append(("archive/version", Array("3\n".utf8)))
    return zipArchive(members, isZIP64: isZIP64)
  }

  /// A tensor as a part of a storage, with the index of its first element.
  private struct View {
    let name: String
    let shape: [Int]
    let storage, offset: Int
  }

  /// An `OrderedDict` of tensors in opcodes of protocol 2, in the order of Python's pickler.
  private func pickle(_ views: [View], of counts: [Int], _ number: Number) -> [UInt8] {
    func text(_ text: String) -> [UInt8] {
      [UInt8(ascii: "X")] + littleEndian(UInt32(text.utf8.count), 4) + Array(text.utf8)
    }
    func integer(_ value: Int) -> [UInt8] { [UInt8(ascii: "J")] + littleEndian(UInt32(value), 4) }
    func tuple(_ parts: [[UInt8]]) -> [UInt8] {
      [UInt8(ascii: "(")] + parts.flatMap(\.self) + [UInt8(ascii: "t")]
    }
    func name(_ module: String, _ name: String) -> [UInt8] {
      [UInt8(ascii: "c")] + Array("\(module)\n\(name)\n".utf8)
    }
    let dictionary = name("collections", "OrderedDict") + [UInt8(ascii: ")"), UInt8(ascii: "R")]
    var bytes: [UInt8] = [0x80, 2] + dictionary + [UInt8(ascii: "q"), 0, UInt8(ascii: "(")]
    for tensor in views {
      var strides = [1]
      for extent in tensor.shape.dropFirst().reversed() {
        strides.insert(strides[0] * extent, at: 0)
      }
      let storage =
        tuple([
          text("storage"), name("torch", number.names.torch), text("\(tensor.storage)"),
          text("cpu"), integer(counts[tensor.storage]),
        ]) + [UInt8(ascii: "Q")]
      bytes += text(tensor.name) + name("torch._utils", "_rebuild_tensor_v2")
      bytes += tuple([
        storage, integer(tensor.offset), tuple(tensor.shape.map(integer)),
        tuple(strides.map(integer)), [0x89],
        dictionary,
      ])
      bytes.append(UInt8(ascii: "R"))
    }
    // The attribute `_metadata` of a state dict.
    bytes += [UInt8(ascii: "u"), UInt8(ascii: "}")] + text("_metadata") + dictionary
    return bytes + [UInt8(ascii: "s"), UInt8(ascii: "b"), UInt8(ascii: ".")]
  }
}

/// A ZIP archive without compression.
package func zipArchive(_ members: [(name: String, content: [UInt8])], isZIP64: Bool = false)
  -> [UInt8]
{
  var (bytes, directory): ([UInt8], [UInt8]) = ([], [])
  for (name, content) in members {
    let (sum, offset) = (content.withUnsafeBytes { crc32($0) }, bytes.count)
    let size = isZIP64 ? UInt32.max : UInt32(content.count)
    let sizes = littleEndian(sum, 4) + littleEndian(size, 4) + littleEndian(size, 4)
    let wide = littleEndian(UInt64(content.count), 8)
    let name = Array(name.utf8)
    let local =
      isZIP64 ? littleEndian(UInt32(1), 2) + littleEndian(UInt32(16), 2) + wide + wide : []
    bytes += littleEndian(UInt32(0x0403_4B50), 4) + [UInt8](repeating: 0, count: 10) + sizes
    bytes +=
      littleEndian(UInt32(name.count), 2) + littleEndian(UInt32(local.count), 2) + name + local
    bytes += content
    let extra =
      isZIP64
      ? littleEndian(UInt32(1), 2) + littleEndian(UInt32(24), 2) + wide + wide
        + littleEndian(UInt64(offset), 8) : []
    directory += littleEndian(UInt32(0x0201_4B50), 4) + [UInt8](repeating: 0, count: 12) + sizes
    directory += littleEndian(UInt32(name.count), 2) + littleEndian(UInt32(extra.count), 2)
    directory += [UInt8](repeating: 0, count: 10)
    directory += littleEndian(isZIP64 ? UInt32.max : UInt32(offset), 4) + name + extra
  }
  let start = bytes.count
  bytes += directory
  if isZIP64 {
    let record = bytes.count
    bytes += littleEndian(UInt32(0x0606_4B50), 4) + littleEndian(UInt64(44), 8)
    bytes += [UInt8](repeating: 0, count: 12)
    for number in [members.count, members.count, directory.count, start] {
      bytes += littleEndian(UInt64(number), 8)
    }
    bytes += littleEndian(UInt32(0x0706_4B50), 4) + littleEndian(UInt32(0), 4)
    bytes += littleEndian(UInt64(record), 8) + littleEndian(UInt32(1), 4)
  }
  let (count, size, offset) =
    isZIP64
    ? (UInt32(0xFFFF), UInt32.max, UInt32.max)
    : (UInt32(members.count), UInt32(directory.count), UInt32(start))
  bytes += littleEndian(UInt32(0x0605_4B50), 4) + [UInt8](repeating: 0, count: 4)
  bytes += littleEndian(count, 2) + littleEndian(count, 2) + littleEndian(size, 4)
  return bytes + littleEndian(offset, 4) + [0, 0]
}

private func littleEndian(_ number: some FixedWidthInteger, _ count: Int) -> [UInt8] {
  (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
}
