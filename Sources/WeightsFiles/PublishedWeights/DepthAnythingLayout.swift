import DepthErrors

/// The layers of Depth Anything V2 and their tensors under the authors' names, derived from a few widths.
///
/// > Source: L. Yang et al. “Depth Anything V2.” NeurIPS 2024, and the authors' code.
struct DepthAnythingLayout {
  static let inputSide = 518
  private static let (patch, headWidth) = (14, 64)
  private static let encoder = "pretrained."
  private static let head = "depth_head."
  private static let scratch = "depth_head.scratch."

  let width, blocks, features, lastFeatures: Int
  let channels, takenBlocks: [Int]

  var heads: Int { width / Self.headWidth }

  /// License of the published weights with this width.
  var license: String {
    PublishedNetwork.all.first { $0.width == width }?.license ?? "unknown"
  }

  /// - Parameters:
  ///   - shapes: Shapes of the file's tensors, keyed by the authors' names.
  ///   - config: The content of `config.json`.
  /// - Throws: `DepthError` for tensors of another network.
  init(_ shapes: [String: [Int]], config: HubConfig?, file: String) throws {
    func refused(_ reason: String) -> DepthError {
      DepthError(.weightsMismatch, file: file, reason)
    }
    func outputs(_ name: String) throws -> Int {
      guard let shape = shapes[name] else { throw refused("'\(name)' is missing") }
      guard shape.count == 4 else {
        throw refused("'\(name)' has \(shape.count) dimensions, expected 4")
      }
      return shape[0]
    }
    let prefix = "\(Self.encoder)blocks."
    let numbers = Set(
      shapes.keys.filter { $0.hasPrefix(prefix) }
        .compactMap { Int($0.dropFirst(prefix.count).prefix { $0 != "." }) })
    guard !numbers.isEmpty, numbers.count <= 64, numbers == Set(0..<numbers.count) else {
      throw refused("is not Depth Anything V2: the blocks of its encoder are not numbered from 0")
    }
    blocks = numbers.count
    channels = try (0..<4).map { try outputs("\(Self.head)projects.\($0).weight") }
    width = try outputs("\(Self.encoder)patch_embed.proj.weight")
    features = try outputs("\(Self.scratch)layer1_rn.weight")
    lastFeatures = try outputs("\(Self.scratch)output_conv2.0.weight")
    guard (channels + [width, features, lastFeatures]).allSatisfy({ (1...4096).contains($0) }),
      features % 2 == 0
    else { throw refused("has other widths than Depth Anything V2") }
    guard width % Self.headWidth == 0 else {
      throw refused("has tokens of \(width) numbers, expected heads of \(Self.headWidth)")
    }
    takenBlocks = try Self.takenBlocks(of: blocks, config, refused)
  }

  /// The blocks after which the four maps are taken. Names and shapes do not determine these blocks.
  private static func takenBlocks(
    of blocks: Int, _ config: HubConfig?, _ refused: (String) -> DepthError
  ) throws -> [Int] {
    let published = [12: [3, 6, 9, 12], 24: [5, 12, 18, 24]][blocks]
    if let found = config?.takenBlocks {
      guard published == nil || found == published else {
        throw refused(
          "config.json takes maps after blocks \(found), Depth Anything V2 after \(published ?? []): "
            + "these are weights of its first version or of another network")
      }
      guard found.count == 4, zip(found, found.dropFirst()).allSatisfy(<), found[0] >= 1,
        found[3] <= blocks
      else { throw refused("four maps cannot be taken after blocks \(found) of \(blocks)") }
      return found
    }
    guard let published else {
      throw refused(
        "has \(blocks) blocks, and does not record after which of them the four maps are taken, expected a "
          + "config.json beside it")
    }
    return published
  }

  /// The sources of all tensors, keyed by the engine's names.
  var sources: [String: TensorSource] {
    var sources = TensorSource.encoder(
      Self.encoder, width: width, blocks: blocks, trainedSide: Self.inputSide / Self.patch)
    func convolution(
      _ layer: String, in module: String, _ inputs: Int, _ outputs: Int, side: Int,
      hasBias: Bool = true
    ) {
      sources.addConvolution(
        layer, in: module, inputs, outputs, kernelSize: side, hasBias: hasBias)
    }
    for (index, count) in channels.enumerated() {
      convolution("projects.\(index)", in: "\(Self.head)projects.\(index)", width, count, side: 1)
      convolution(
        "layer\(index + 1)_rn", in: "\(Self.scratch)layer\(index + 1)_rn", count, features, side: 3,
        hasBias: false)
    }
    for (index, side) in [(0, 4), (1, 2), (3, 3)] {
      let layer = "resize_layers.\(index)"
      convolution(layer, in: Self.head + layer, channels[index], channels[index], side: side)
      sources["\(layer)/kernel"]?.isTransposed = index < 2
    }
    for net in 1...4 {
      let layer = "refinenet\(net)"
      for unit in net == 4 ? [2] : [1, 2] {
        for number in 1...2 {
          let part = "\(layer).resConfUnit\(unit).conv\(number)"
          convolution(part, in: Self.scratch + part, features, features, side: 3)
        }
      }
      convolution(
        "\(layer).out_conv", in: "\(Self.scratch)\(layer).out_conv", features, features, side: 1)
    }
    convolution("output_conv1", in: "\(Self.scratch)output_conv1", features, features / 2, side: 3)
    convolution(
      "output_conv2.0", in: "\(Self.scratch)output_conv2.0", features / 2, lastFeatures, side: 3)
    convolution("output_conv2.2", in: "\(Self.scratch)output_conv2.2", lastFeatures, 1, side: 1)
    return sources
  }
}
