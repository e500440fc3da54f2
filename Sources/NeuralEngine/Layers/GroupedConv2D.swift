/// A 1×1 convolution of groups of channels, followed by an optional addition and an activation.
///
/// Output channels j·n/groups ..< (j + 1)·n/groups read the same group of input channels. Kernels are
/// `outputs × inputs/groups × 1 × 1`.
package struct GroupedConv2D: Layer {
  private let operation: GroupedConvolution
  private let layer: String

  /// Checks the layer's weights.
  ///
  /// - Parameters:
  ///   - layer: The weights' group.
  ///   - activation: `none` or `relu`.
  /// - Throws: `DepthError` when a tensor is missing, mis-shaped or not finite.
  package init(
    _ weights: WeightScope, _ layer: String, groups: Int, _ inputChannels: Int,
    _ outputChannels: Int, activation: Activation = .none
  ) throws {
    precondition(
      inputChannels % groups == 0 && outputChannels % groups == 0,
      "\(inputChannels) and \(outputChannels) channels in \(groups) groups")
    self.layer = layer
    operation = GroupedConvolution(
      groups: groups, inputChannels: inputChannels,
      kernels: try ConvolutionWeights(
        weights, layer: layer, norm: nil, hasBias: true,
        shape: [outputChannels, inputChannels / groups, 1, 1]), activation: activation)
  }

  package func callAsFunction(_ x: Node) -> Node { callAsFunction(x, adding: nil) }

  /// - Parameter residual: Added before the activation.
  package func callAsFunction(_ x: Node, adding residual: Node?) -> Node {
    x.require(channels: operation.inputChannels)
    return Node(
      operation, layer: layer, name: layer, channels: operation.kernels.outputChannels,
      inputs: [x] + (residual.map { [$0] } ?? []))
  }
}
