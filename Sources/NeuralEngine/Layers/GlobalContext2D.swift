/// Adds a linear function of the mean over all pixels to each pixel: y = x + W · mean(x) + b.
///
/// > Source: W. Liu, A. Rabinovich, A. C. Berg. “ParseNet: Looking Wider to See Better.” 2015.
/// > [arXiv:1506.04579](https://arxiv.org/abs/1506.04579), section 3.1.
package struct GlobalContext2D: Layer {
  private let operation: GlobalContextOperation
  private let layer: String

  /// Checks the layer's weights, W as a 1×1 kernel.
  ///
  /// - Parameters:
  ///   - layer: The weights' group.
  ///   - channels: Channels of the input and of the result.
  /// - Throws: `DepthError` when a tensor is missing, mis-shaped or not finite.
  package init(_ weights: WeightScope, _ layer: String, channels: Int) throws {
    self.layer = layer
    operation = GlobalContextOperation(
      channels: channels,
      kernel: try ConvolutionWeights(
        weights, layer: layer, norm: nil, hasBias: true, shape: [channels, channels, 1, 1]))
  }

  package func callAsFunction(_ x: Node) -> Node {
    x.require(channels: operation.channels)
    return Node(operation, layer: layer, name: layer, channels: x.channels, inputs: [x])
  }
}

/// A global context before its weights are read.
struct GlobalContextOperation: Operation {
  let channels: Int
  let kernel: ConvolutionWeights

  var kind: String { "context" }
  var weights: [ConvolutionWeights] { [kernel] }

  func outputShape(for input: Tensor.Shape) -> Tensor.Shape { input }

  func prepared(_ preparation: Preparation) throws -> any PreparedOperation {
    try GlobalContext(channels: channels, kernels: kernel.rows, bias: kernel.bias)
  }
}
