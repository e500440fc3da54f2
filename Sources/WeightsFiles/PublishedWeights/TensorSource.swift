/// The source of an engine's tensor in a published file.
struct TensorSource {
  /// The authors' name of the tensor.
  let name: String
  /// The shape in the authors' file, without an exchange of axes.
  let shape: [Int]
  /// The shape that the engine expects.
  let engineShape: [Int]
  /// The name of a tensor with one factor per row, for LayerScale.
  var factors: String?
  /// Whether the first two axes are exchanged, as in transposed convolutions (input × output).
  var isTransposed = false

  /// The shape in the authors' file, including an exchange of axes.
  var theirShape: [Int] { isTransposed ? [shape[1], shape[0]] + shape[2...] : shape }

  /// The sources of DINOv2, keyed by the engine's names.
  ///
  /// - Parameters:
  ///   - prefix: The prefix of the authors' names.
  ///   - width: Token width.
  ///   - trainedSide: Rows and columns of the learned position embeddings.
  static func encoder(
    _ prefix: String, width: Int, blocks: Int, trainedSide: Int
  ) -> [String: TensorSource] {
    var sources: [String: TensorSource] = [:]
    func linear(_ layer: String, _ inputs: Int, _ outputs: Int, factors: String? = nil) {
      sources["\(layer)/kernel"] = TensorSource(
        name: "\(prefix)\(layer).weight", shape: [outputs, inputs],
        engineShape: [outputs, inputs, 1, 1], factors: factors)
      sources.addVector("\(layer)/bias", "\(prefix)\(layer).bias", outputs, factors: factors)
    }
    func norm(_ layer: String) {
      sources.addVector("\(layer)/gamma", "\(prefix)\(layer).weight", width)
      sources.addVector("\(layer)/beta", "\(prefix)\(layer).bias", width)
    }
    sources.addConvolution(
      "patch_embed", in: "\(prefix)patch_embed.proj", 3, width, kernelSize: 14)
    let positions = 1 + trainedSide * trainedSide
    sources["embeddings/class_token"] = TensorSource(
      name: "\(prefix)cls_token", shape: [1, 1, width], engineShape: [width])
    sources["embeddings/positions"] = TensorSource(
      name: "\(prefix)pos_embed", shape: [1, positions, width], engineShape: [positions, width])
    for index in 0..<blocks {
      let block = "blocks.\(index)"
      norm("\(block).norm1")
      linear("\(block).attn.qkv", width, 3 * width)
      linear("\(block).attn.proj", width, width, factors: "\(prefix)\(block).ls1.gamma")
      norm("\(block).norm2")
      linear("\(block).mlp.fc1", width, 4 * width)
      linear("\(block).mlp.fc2", 4 * width, width, factors: "\(prefix)\(block).ls2.gamma")
    }
    norm("norm")
    return sources
  }
}

extension [String: TensorSource] {
  /// Adds a vector.
  mutating func addVector(
    _ ours: String, _ theirs: String, _ count: Int, factors: String? = nil
  ) {
    self[ours] = TensorSource(name: theirs, shape: [count], engineShape: [count], factors: factors)
  }

  /// Adds the kernel and bias of a convolution.
  mutating func addConvolution(
    _ layer: String, in module: String, _ inputs: Int, _ outputs: Int, kernelSize: Int,
    hasBias: Bool = true, isTransposed: Bool = false
  ) {
    let shape = [outputs, inputs, kernelSize, kernelSize]
    self["\(layer)/kernel"] = TensorSource(
      name: "\(module).weight", shape: shape, engineShape: shape, isTransposed: isTransposed)
    if hasBias { addVector("\(layer)/bias", "\(module).bias", outputs) }
  }
}
