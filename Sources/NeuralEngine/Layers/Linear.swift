/// A linear layer of tokens with a bias, followed by an optional addition and an activation.
///
/// With integers its tokens are quantized while the network runs, each with a step of its own: one step for all would leave nothing of
/// them, since a few channels of a transformer are a hundred times larger than the others.
package struct Linear: Layer {
  private let step: ConvolutionStep
  private let layer: String

  /// - Parameters:
  ///   - layer: The weights' group, with a 1×1 kernel.
  ///   - inputChannels: Channels of a token.
  ///   - outputChannels: Channels of the result.
  ///   - activation: The function that follows.
  /// - Throws: `DepthError` when a tensor is missing, mis-shaped or not finite.
  package init(
    _ weights: WeightScope, _ layer: String, _ inputChannels: Int, _ outputChannels: Int,
    activation: Activation = .none
  ) throws {
    self.layer = layer
    step = ConvolutionStep(
      geometry: ConvolutionGeometry(
        kernelHeight: 1, kernelWidth: 1, inputChannels: inputChannels,
        outputChannels: outputChannels),
      weights: try ConvolutionWeights(
        weights, layer: layer, norm: nil, hasBias: true,
        shape: [outputChannels, inputChannels, 1, 1]),
      activation: activation, readsTokens: true)
  }

  package func callAsFunction(_ x: Node) -> Node { callAsFunction(x, adding: nil) }

  /// Extends the graph by this layer and an addition.
  ///
  /// - Parameter residual: Added before the activation.
  package func callAsFunction(_ x: Node, adding residual: Node?) -> Node {
    precondition(
      x.channels == step.geometry.inputChannels,
      "x has \(x.channels) channels, expected \(step.geometry.inputChannels)")
    return Node(
      .convolution(step), layer: layer, name: layer, channels: step.geometry.outputChannels,
      inputs: [x] + (residual.map { [$0] } ?? []))
  }
}
