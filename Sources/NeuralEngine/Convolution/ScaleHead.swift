package import DepthBase

/// Adds one number to the first channel of each image's map, then takes eˣ of all channels. The number is a linear function
/// of the mean of another map over all pixels: w · mean(features) + b. The first channel is ln depth, so the number is the
/// logarithm of a factor of all depths.
///
/// The mean of a quantized map is exact: its values are summed as integers. That of floats is summed as in
/// ``GlobalContext``. The product is summed in 32-bit floats in the order of channels, so the result has the same bits on all
/// instruction sets and any number of threads.
package struct ScaleHead: Sendable {
  /// Channels of the map whose mean is taken.
  package let channels: Int
  private let weights: [Float]
  private let bias: Float
  /// The quantization of that map; `nil` for floats.
  private let quantization: MapQuantization?
  private let exponential: Exponential

  /// - Parameters:
  ///   - weights: w, one value per channel of the features.
  ///   - bias: b.
  ///   - quantization: Quantization of the features; `nil` for floats.
  package init(
    weights: [Float], bias: Float, quantization: MapQuantization?, instructionSet: InstructionSet
  ) {
    (self.weights, self.bias, self.quantization) = (weights, bias, quantization)
    channels = weights.count
    exponential = Exponential(instructionSet: instructionSet)
  }

  /// Bytes of the weights.
  var weightBytes: Int { weights.count * MemoryLayout<Float>.stride }

  /// Computes one result.
  ///
  /// - Parameters:
  ///   - input: The map that the number is added to.
  ///   - features: The map whose mean is taken, for as many images.
  ///   - output: A map of the input's shape; not the input itself.
  func run(
    _ input: FeatureMap, features: PlannedMap, into output: FeatureMap, in workspace: Workspace,
    on team: ThreadTeam
  ) {
    let shape = input.shape
    precondition(output.shape == shape, "y is \(output.shape), expected \(shape)")
    precondition(
      features.shape.channels == channels && features.shape.count == shape.count,
      "the features are \(features.shape), expected \(channels) channels")
    let added = (0..<shape.count).map { number(for: features.image($0), in: workspace) }
    nonisolated(unsafe) let base = unsafe workspace.base
    team.forEach(shape.count * shape.height) { _, line in
      let x = unsafe base + input.offset + line * shape.width * input.pixelStride
      let y = unsafe base + output.offset + line * shape.width * output.pixelStride
      let number = added[line / shape.height]
      for pixel in 0..<shape.width {
        let (from, to) = unsafe (x + pixel * input.pixelStride, y + pixel * output.pixelStride)
        unsafe to[0] = from[0] + number
        for c in 1..<max(shape.channels, 1) { unsafe to[c] = from[c] }
      }
    }
    exponential.run(output, in: workspace, on: team)
  }

  /// w · mean(features) + b of one image.
  private func number(for features: PlannedMap, in workspace: Workspace) -> Float {
    let means =
      switch (features, quantization) {
      case (.floats(let map), nil): workspace.channelMeans(of: map)
      case (.quantized(let map), let quantization?):
        workspace.channelMeans(of: map, quantizedBy: quantization)
      default: preconditionFailure("features that are not what the head was prepared for")
      }
    return zip(weights, means).reduce(bias) { $0 + $1.0 * $1.1 }
  }
}

extension ScaleHead: PreparedOperation {
  func description(for input: Tensor.Shape) -> (shape: String, algorithm: String) {
    ("scale \(channels)", "mean")
  }

  func outputShape(for input: Tensor.Shape) -> Tensor.Shape { input }

  func multiplyAdds(for input: Tensor.Shape) -> Int { channels }

  func run(_ run: LayerRun) {
    guard let features = run.secondMap else { preconditionFailure("a head without features") }
    self.run(run.input, features: features, into: run.output, in: run.workspace, on: run.team)
  }
}
