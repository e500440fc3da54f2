import HDF5Files

/// The sizes of a small Depth Anything V2.
public struct DepthAnythingSizes: Sendable {
  public var heads = 1
  public var blocks = 4
  public var takenBlocks = [1, 2, 3, 4]
  public var hidden = 96
  public var channels = [6, 5, 8, 10]
  public var features = 8
  public var lastHidden = 5
  public var inputSide = 252

  public var width: Int { 64 * heads }
  public var trainedSide: Int { inputSide / 14 }

  public init() {}
}

extension GeneratedWeights {
  /// Weights of a small Depth Anything V2, whose activations stay near 1.
  ///
  /// - Parameter largest: The largest depth in metres, or `nil` for a relative network.
  package static func depthAnything(
    _ sizes: DepthAnythingSizes = DepthAnythingSizes(), largest: Double? = 20,
    trainingFocalLength: Double = 0.8
  ) -> GeneratedWeights {
    var attributes: [String: HDF5Attribute] = [
      "format_name": .text("fcrn-hdf5"), "format_version": .integers([2]),
      "content": .text("weights"), "architecture": .text("depth-anything-v2"),
      "kernel_layout": .text("OIHW"), "channel_order": .text("RGB"),
      "heads": .integers([sizes.heads]), "taken_blocks": .integers(sizes.takenBlocks),
      "input_side": .integers([sizes.inputSide]),
      "pixel_scale": .numbers([1 / 58.395, 1 / 57.12, 1 / 57.375]),
      "pixel_mean": .numbers([2.1179, 2.0357, 1.8044]),
      "output_unit": .text(largest == nil ? "relative disparity" : "metre"),
    ]
    if let largest {
      attributes["largest_depth"] = .numbers([largest])
      attributes["training_focal_length"] = .numbers([trainingFocalLength])
    }
    return GeneratedWeights(
      tensors: tensors(sizes), attributes: attributes, seed: CounterStream.defaultSeed)
  }

  private static func tensors(_ sizes: DepthAnythingSizes) -> [GeneratedTensor] {
    let (width, features, channels) = (sizes.width, sizes.features, sizes.channels)
    var tensors: [GeneratedTensor] = []
    func add(_ name: String, _ shape: [Int], _ rule: WeightRule) {
      tensors.append(GeneratedTensor(name: name, shape: shape, rule: rule))
    }
    func convolution(_ layer: String, _ out: Int, _ input: Int, _ size: Int, hasBias: Bool = true) {
      let bound = (3 / Float(input * size * size)).squareRoot()
      add("\(layer)/kernel", [out, input, size, size], .symmetric(bound))
      if hasBias { add("\(layer)/bias", [out], .symmetric(0.125)) }
    }
    func norm(_ layer: String) {
      add("\(layer)/gamma", [width], .range(low: 0.75, span: 0.5))
      add("\(layer)/beta", [width], .symmetric(0.25))
    }
    convolution("patch_embed", width, 3, 14)
    add("embeddings/class_token", [width], .symmetric(0.5))
    add(
      "embeddings/positions", [1 + sizes.trainedSide * sizes.trainedSide, width], .symmetric(0.5))
    for block in 0..<sizes.blocks {
      norm("blocks.\(block).norm1")
      convolution("blocks.\(block).attn.qkv", 3 * width, width, 1)
      convolution("blocks.\(block).attn.proj", width, width, 1)
      norm("blocks.\(block).norm2")
      convolution("blocks.\(block).mlp.fc1", sizes.hidden, width, 1)
      convolution("blocks.\(block).mlp.fc2", width, sizes.hidden, 1)
    }
    norm("norm")
    for level in 0..<4 { convolution("projects.\(level)", channels[level], width, 1) }
    convolution("resize_layers.0", channels[0], channels[0], 4)
    convolution("resize_layers.1", channels[1], channels[1], 2)
    convolution("resize_layers.3", channels[3], channels[3], 3)
    for level in 1...4 {
      convolution("layer\(level)_rn", features, channels[level - 1], 3, hasBias: false)
      for unit in (level == 4 ? 2 : 1)...2 {
        convolution("refinenet\(level).resConfUnit\(unit).conv1", features, features, 3)
        convolution("refinenet\(level).resConfUnit\(unit).conv2", features, features, 3)
      }
      convolution("refinenet\(level).out_conv", features, features, 1)
    }
    convolution("output_conv1", features / 2, features, 3)
    convolution("output_conv2.0", sizes.lastHidden, features / 2, 3)
    convolution("output_conv2.2", 1, sizes.lastHidden, 1)
    return tensors
  }
}

extension GeneratedWeights {
  /// Pseudorandom numbers in −1 … 1. Equal names and indices give equal numbers.
  package static func noise(_ name: String, _ count: Int) -> [Float] {
    let stream = CounterStream(name)
    return (0..<count).map { Float(stream[$0]) / Float(1 << 23) - 1 }
  }
}
