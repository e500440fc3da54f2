/// Adds w · mean(features) + b to the first channel of a network's last map, which is ln depth, and takes eˣ of all channels:
/// a factor of all depths that the whole picture decides.
package struct ScaleHead2D: Sendable {
  private let operation: ScaleHeadOperation
  private let layer: String

  /// Checks the layer's weights, w as a 1×1 kernel of one output channel.
  ///
  /// - Parameters:
  ///   - layer: The weights' group.
  ///   - channels: Channels of the features.
  /// - Throws: `DepthError` when a tensor is missing, mis-shaped or not finite.
  package init(_ weights: WeightScope, _ layer: String, channels: Int) throws {
    self.layer = layer
    operation = ScaleHeadOperation(
      kernel: try ConvolutionWeights(
        weights, layer: layer, norm: nil, hasBias: true, shape: [1, channels, 1, 1]))
  }

  /// Extends the graph by this layer.
  ///
  /// - Parameters:
  ///   - x: The last layer's result, before any activation.
  ///   - features: The map whose mean is taken. It is read quantized where other layers read it so.
  package func callAsFunction(_ x: Node, features: Node) -> Node {
    precondition(
      features.channels == operation.kernel.kernelCount,
      "the features have \(features.channels) channels, expected \(operation.kernel.kernelCount)")
    return Node(
      operation, layer: layer, name: layer, channels: x.channels, inputs: [x, features])
  }
}

/// A scale head before its weights are read.
struct ScaleHeadOperation: Operation {
  let kernel: ConvolutionWeights

  var kind: String { "scale" }
  var weights: [ConvolutionWeights] { [kernel] }
  var readsMeanOfSecond: Bool { true }

  func outputShape(for input: Tensor.Shape) -> Tensor.Shape { input }

  func prepared(_ preparation: Preparation) throws -> any PreparedOperation {
    ScaleHead(
      weights: try kernel.rows(0..<1), bias: kernel.bias[0],
      quantization: preparation.secondQuantization,
      instructionSet: preparation.backend.instructionSet)
  }
}
