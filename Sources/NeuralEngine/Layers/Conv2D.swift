/// A convolution, followed by an optional batch norm, an optional addition and an activation.
///
/// Zero padding is (k − 1) / 2 on every side by default. Feature maps are `n × h × w × c`, NHWC; kernels are
/// read in OIHW order.
package struct Conv2D: Layer {
  private let step: ConvolutionStep
  private let layer: String
  private let name: String

  /// Checks the layer's weights and folds the batch norm.
  ///
  /// - Parameters:
  ///   - layer: The weights' group.
  ///   - norm: The batch norm's group, `nil` for none.
  ///   - name: The result's name; the last group's by default.
  ///   - padding: Zeros around the input; (k − 1) / 2 on every side by default.
  ///   - inputChannels: Channels of the input.
  ///   - outputChannels: Channels of the result.
  ///   - hasBias: Whether the convolution has a bias of its own in addition to batch norm.
  ///   - activation: The function that follows.
  /// - Throws: `DepthError` when a tensor is missing, mis-shaped or not finite.
  package init(
    _ weights: WeightScope, _ layer: String, norm: String? = nil, name: String? = nil,
    kernelSize: Int, stride: Int = 1, padding: ConvolutionGeometry.Padding? = nil,
    _ inputChannels: Int, _ outputChannels: Int, hasBias: Bool = false,
    activation: Activation = .none
  ) throws {
    try self.init(
      weights, layer, norm: norm, name: name, kernelSize: kernelSize, stride: stride,
      padding: padding, inputChannels, outputChannels, hasBias: hasBias, activation: activation,
      readsTokens: false)
  }

  /// - Parameter readsTokens: See ``ConvolutionStep/readsTokens``.
  init(
    _ weights: WeightScope, _ layer: String, norm: String? = nil, name: String? = nil,
    kernelSize: Int, stride: Int = 1, padding: ConvolutionGeometry.Padding? = nil,
    _ inputChannels: Int, _ outputChannels: Int, hasBias: Bool = false,
    activation: Activation = .none, readsTokens: Bool
  ) throws {
    self.layer = layer
    self.name = name ?? norm ?? layer
    step = ConvolutionStep(
      geometry: ConvolutionGeometry(
        kernelHeight: kernelSize, kernelWidth: kernelSize, stride: stride, padding: padding,
        inputChannels: inputChannels, outputChannels: outputChannels),
      weights: try ConvolutionWeights(
        weights, layer: layer, norm: norm, hasBias: hasBias,
        shape: [outputChannels, inputChannels, kernelSize, kernelSize]),
      activation: activation, readsTokens: readsTokens)
  }

  package func callAsFunction(_ x: Node) -> Node { callAsFunction(x, adding: nil) }

  /// Extends the graph by this layer and an addition.
  ///
  /// - Parameter residual: Added after batch norm and before the activation.
  package func callAsFunction(_ x: Node, adding residual: Node?) -> Node {
    precondition(
      x.channels == step.geometry.inputChannels,
      "x has \(x.channels) channels, expected \(step.geometry.inputChannels)")
    return Node(
      .convolution(step), layer: layer, name: name, channels: step.geometry.outputChannels,
      inputs: [x] + (residual.map { [$0] } ?? []))
  }
}

/// A convolution before its weights are packed for an algorithm.
struct ConvolutionStep: Sendable {
  let geometry: ConvolutionGeometry
  let weights: ConvolutionWeights
  let activation: Activation
  /// Whether integers need a step for each pixel, measured in each run; see ``Linear``.
  var readsTokens = false
}
