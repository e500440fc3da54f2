/// A linear layer of tokens with a bias, followed by an optional addition and an activation.
///
/// Integer layers measure one scale per token during the run. A few channels of a transformer are a hundred times larger
/// than the others, so a single scale would quantize most channels to 0.
package struct Linear: Layer {
  private let convolution: Conv2D

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
    convolution = try Conv2D(
      weights, layer, kernelSize: 1, inputChannels, outputChannels, hasBias: true,
      activation: activation, measuredScale: .pixel)
  }

  package func callAsFunction(_ x: Node) -> Node { convolution(x) }

  /// Extends the graph by this layer with a residual.
  ///
  /// - Parameter residual: Added before the activation.
  package func callAsFunction(_ x: Node, adding residual: Node?) -> Node {
    convolution(x, adding: residual)
  }
}
