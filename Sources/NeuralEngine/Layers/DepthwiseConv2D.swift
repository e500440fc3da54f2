import DepthBase

/// A convolution with one kernel per channel, followed by an activation.
///
/// Zero padding is (k − 1) / 2 on every side. Kernels are `channels × 1 × k × k`.
///
/// > Source: M. Sandler et al. “MobileNetV2: Inverted Residuals and Linear Bottlenecks.” CVPR 2018.
/// > [arXiv:1801.04381](https://arxiv.org/abs/1801.04381), section 3.1.
package struct DepthwiseConv2D: Layer {
  private let operation: DepthwiseOperation
  private let layer: String

  /// Checks the layer's weights.
  ///
  /// - Parameters:
  ///   - layer: The weights' group.
  ///   - channels: Channels of the input and of the result.
  ///   - activation: The function that follows.
  /// - Throws: `DepthError` when a tensor is missing, mis-shaped or not finite.
  package init(
    _ weights: WeightScope, _ layer: String, kernelSize: Int, stride: Int = 1, channels: Int,
    activation: Activation = .none
  ) throws {
    self.layer = layer
    operation = DepthwiseOperation(
      geometry: DepthwiseGeometry(kernelSize: kernelSize, stride: stride, channels: channels),
      kernels: try ConvolutionWeights(
        weights, layer: layer, norm: nil, hasBias: true,
        shape: [channels, 1, kernelSize, kernelSize]),
      activation: activation)
  }

  package func callAsFunction(_ x: Node) -> Node {
    x.require(channels: operation.geometry.channels)
    return Node(operation, layer: layer, name: layer, channels: x.channels, inputs: [x])
  }
}

/// A depthwise convolution before its weights are packed.
struct DepthwiseOperation: Operation {
  let geometry: DepthwiseGeometry
  let kernels: ConvolutionWeights
  let activation: Activation

  var kind: String { geometry.kind }
  var weights: [ConvolutionWeights] { [kernels] }
  var borderRead: Int { geometry.padding }

  func outputShape(for input: Tensor.Shape) -> Tensor.Shape { geometry.outputShape(for: input) }

  func isNonnegative(_ channels: Range<Int>, reading source: Node) -> Bool {
    activation.isNonnegative
  }

  func prepared(_ preparation: Preparation) throws -> any PreparedOperation {
    try DepthwiseConvolution(
      geometry, kernels: kernels.rows, bias: kernels.bias, activation: activation)
  }

  func canQuantize(reading source: Node) -> Bool {
    QuantizedDepthwiseConvolution.canCompute(geometry)
  }

  func prepared(
    _ maps: MapQuantizations, instructionSet: Int8InstructionSet, packing: inout DeferredPacking
  ) throws -> any PreparedOperation {
    QuantizedDepthwiseConvolution(
      geometry, kernels: try kernels.quantizedRows(), bias: kernels.bias, activation: activation,
      maps: maps, instructionSet: instructionSet, packing: &packing)
  }
}
