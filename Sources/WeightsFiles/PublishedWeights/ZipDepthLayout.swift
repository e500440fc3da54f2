import DepthNetworks

/// The layers of ZipDepth “base”, each folded from tensors of the authors.
///
/// > Source: the authors' `architecture.py` at revision a302e54.
struct ZipDepthLayout {
  /// An authors' convolution that is part of a layer.
  struct Branch {
    /// The name of the module, which has a `weight` and possibly a `bias`.
    let module: String
    /// The batch norm after the convolution; `nil` for none.
    var norm: String?
    let kernelSize: Int
    var dilation = 1
    var hasBias = false
  }

  /// A layer of the engine: the sum of branches with their batch norms, as one kernel and bias.
  struct Layer {
    let outputs: Int
    /// Input channels per output.
    let inputs: Int
    /// Rows and columns of the kernel.
    let kernelSize: Int
    let branches: [Branch]
    /// Weight added at the kernel's center for the identity. −1 removes an identity that the authors folded and the
    /// engine adds.
    var identity = 0.0
    /// Factor of the kernel and the bias.
    var factor = 1.0
    /// Whether another layer of the sum contains the batch norm's bias.
    var leavesBias = false
    /// The input channels of a layer that uses only a part of the branch's channels.
    var part: Range<Int>?
    /// Input channels of the branches.
    var storedInputs: Int { part == nil ? inputs : 4 * inputs }
  }

  let upsampling: ZipDepthConfiguration.Upsampling
  /// The layers, keyed by the engine's names.
  private(set) var layers: [String: Layer] = [:]

  private static let encoder = "encoder."
  private static let decoder = "decoder."
  private static let last = "decoder.convex_up."

  /// Whether these are probably tensors of ZipDepth.
  static func isLikely(_ names: some Sequence<String>) -> Bool {
    names.contains { $0.contains("encoder.stem_half.") }
  }

  /// - Parameter names: Names of the file's tensors, without prefixes of training scripts.
  init(_ names: Set<String>) {
    let isGated = names.contains { $0.hasPrefix("\(Self.last)where_conv.") }
    upsampling = isGated ? .gated : .convex
    addEncoder(names)
    addDecoder()
    isGated ? addGatedScores() : addConvexScores()
  }

  /// Adds a convolution, followed by the batch norm `norm` if given.
  private mutating func add(
    _ layer: String, _ module: String, norm: String? = nil, _ inputs: Int, _ outputs: Int,
    kernelSize: Int = 1, hasBias: Bool = false, factor: Double = 1, leavesBias: Bool = false
  ) {
    layers[layer] = Layer(
      outputs: outputs, inputs: inputs, kernelSize: kernelSize,
      branches: [Branch(module: module, norm: norm, kernelSize: kernelSize, hasBias: hasBias)],
      factor: factor, leavesBias: leavesBias)
  }

  private mutating func addEncoder(_ names: Set<String>) {
    func block(_ name: String, _ inputs: Int, _ outputs: Int) -> Layer {
      let hasIdentity = inputs == outputs
      let theirs = Self.encoder + name
      // The authors' own folded form.
      let isFused = names.contains("\(theirs).fused_conv.weight")
      let branches = [(3, "branch_3x3"), (1, "branch_1x1")].map { size, branch in
        Branch(module: "\(theirs).\(branch).0", norm: "\(theirs).\(branch).1", kernelSize: size)
      }
      return Layer(
        outputs: outputs, inputs: inputs, kernelSize: 3,
        branches: isFused
          ? [Branch(module: "\(theirs).fused_conv", kernelSize: 3, hasBias: true)] : branches,
        identity: isFused && hasIdentity ? -1 : 0)
    }
    func stem(_ name: String, _ inputs: Int, _ outputs: Int) {
      let theirs = Self.encoder + name
      add(
        name, "\(theirs).conv", norm: "\(theirs).bn", inputs, outputs,
        kernelSize: name.hasPrefix("stem") ? 3 : 1)
    }
    let widths = [48, 96, 192, 384]
    stem("stem_half", 3, 24)
    stem("stem_quarter", 24, widths[0])
    for (stage, count) in [2, 2, 6, 2].enumerated() {
      let width = widths[stage]
      for index in 0..<count {
        layers["stage\(stage + 1).\(index)"] = block("stage\(stage + 1).\(index)", width, width)
      }
      if stage > 0 {
        layers["down\(stage + 1)"] = block("down\(stage + 1)", widths[stage - 1], width)
      }
    }
    let dilations = "\(Self.encoder)stage2.2"
    layers["stage2.2"] = Layer(
      outputs: 96, inputs: 1, kernelSize: 5,
      branches: (1...2).map {
        Branch(
          module: "\(dilations).branch\($0)", norm: "\(dilations).bn", kernelSize: 3, dilation: $0)
      }, identity: 1)
    let gate = "\(Self.encoder)stage2.3.gate_conv"
    add("stage2.3", "\(gate).0", norm: "\(gate).1", 1, 96)
    add("stage3.6.fc.0", "\(Self.encoder)stage3.6.fc.0", 192, 24)
    add("stage3.6.fc.2", "\(Self.encoder)stage3.6.fc.2", 24, 192)
    let context = "\(Self.encoder)stage3.7"
    add("stage3.7.context_weight", "\(context).context_weight", 192, 1, hasBias: true)
    add(
      "stage3.7.transform.0", "\(context).transform.0", norm: "\(context).transform.1", 192, 48,
      hasBias: true)
    add("stage3.7.transform.3", "\(context).transform.3", 48, 192, hasBias: true)
    stem("spp.cv1", 384, 96)
    for index in 0..<4 {
      layers["spp.cv2.\(index)"] = Layer(
        outputs: 384, inputs: 96, kernelSize: 1,
        branches: [
          Branch(
            module: "\(Self.encoder)spp.cv2.conv", norm: "\(Self.encoder)spp.cv2.bn", kernelSize: 1)
        ], leavesBias: index > 0, part: 96 * index..<96 * (index + 1))
    }
    let cross = "\(Self.encoder)cross_scale"
    add("cross_scale.low_to_high", "\(cross).low_to_high", 96, 192, factor: 0.3)
    add("cross_scale.high_to_low", "\(cross).high_to_low", 48, 384, factor: 0.3)
  }

  private mutating func addDecoder() {
    add("proj4", "\(Self.decoder)proj4.conv", norm: "\(Self.decoder)proj4.bn", 384, 288)
    for (name, high, low, outputs) in [
      ("fuse3", 48, 72, 192), ("fuse2", 24, 48, 144), ("fuse1", 12, 36, 96),
      ("fuse_half", 6, 24, 32),
    ] {
      let theirs = Self.decoder + name
      add("\(name).proj_high", "\(theirs).proj_high", norm: "\(theirs).bn", high, outputs)
      add(
        "\(name).proj_low", "\(theirs).proj_low", norm: "\(theirs).bn", low, outputs,
        leavesBias: true)
    }
    add("head_half", "\(Self.decoder)head_half", 32, 1, kernelSize: 3, hasBias: true)
  }

  private mutating func addConvexScores() {
    let theirs = "\(Self.last)mask_pred"
    add("mask_pred.0", "\(theirs).0", norm: "\(theirs).1", 32, 8, kernelSize: 3)
    add("mask_pred.3", "\(theirs).3", 8, 36, hasBias: true)
  }

  private mutating func addGatedScores() {
    let theirs = "\(Self.last)where_conv"
    add("where_conv.0", "\(theirs).0", norm: "\(theirs).1", 32, 16)
    add("where_conv.3", "\(theirs).3", norm: "\(theirs).4", 1, 16, kernelSize: 5)
    add("where_conv.6", "\(theirs).6", 16, 1)
  }

  static let statistics = ["weight", "bias", "running_mean", "running_var"]

  /// The shapes of all required tensors of a file.
  var theirShapes: [String: [Int]] {
    var shapes = ["mean": [1, 3, 1, 1], "std": [1, 3, 1, 1]]
    for layer in layers.values {
      for branch in layer.branches {
        let size = branch.kernelSize
        shapes["\(branch.module).weight"] = [layer.outputs, layer.storedInputs, size, size]
        if branch.hasBias { shapes["\(branch.module).bias"] = [layer.outputs] }
        for statistic in branch.norm == nil ? [] : Self.statistics {
          shapes["\(branch.norm ?? "").\(statistic)"] = [layer.outputs]
        }
      }
    }
    return shapes
  }
}
