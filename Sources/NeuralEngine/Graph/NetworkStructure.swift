/// The layers of a network, independent of how they are computed.
///
/// Its description is the golden file of the networks' tests.
package struct NetworkStructure: Sendable, Equatable {
  /// The kind of a layer.
  package enum Operation: Sendable, Hashable {
    case convolution(ConvolutionGeometry)
    /// The four kernels of an up-convolution, for all branches that read its input.
    case upConvolution
    /// 3×3 maximum pooling of stride 2.
    case maxPool
    /// A convolution of each channel alone.
    case depthwise(DepthwiseGeometry)
    /// The addition of a linear function of the mean over all pixels.
    case globalContext
    /// A layer of floats with an algorithm of its own, by its kind.
    case float(String)
  }

  /// A layer that computes something; slices are not listed.
  package struct Layer: Sendable, Hashable {
    package let name: String
    package let operation: Operation
    /// Name of the result that the layer reads, and of the one that it adds.
    package let source: String
    package let residual: String?
    package let input, output: Tensor.Shape
    /// Number of weights and biases, with batch norm folded in.
    package let parameters: Int
  }

  package let layers: [Layer]

  /// Number of weights and biases of the network.
  package var parameters: Int { layers.reduce(0) { $0 + $1.parameters } }
}

extension Node {
  /// The layers of the network that ends in this node, in topological order.
  ///
  /// - Parameter input: Shape of the network's input.
  package func structure(forInput input: Tensor.Shape) -> NetworkStructure {
    var shapes: [ObjectIdentifier: Tensor.Shape] = [:]
    var layers: [NetworkStructure.Layer] = []
    for node in ordered() {
      let read = node.inputs.first.flatMap { shapes[ObjectIdentifier($0)] } ?? input
      let described = node.operation.described(reading: read)
      shapes[ObjectIdentifier(node)] = described.output
      guard let operation = described.operation, let source = node.inputs.first else { continue }
      layers.append(
        .init(
          name: node.layer, operation: operation, source: source.name,
          residual: node.inputs.dropFirst().first?.name, input: read, output: described.output,
          parameters: node.operation.parameters))
    }
    return NetworkStructure(layers: layers)
  }
}

extension Node.Operation {
  /// The operation's output shape, and its kind if it computes something.
  fileprivate func described(
    reading input: Tensor.Shape
  ) -> (operation: NetworkStructure.Operation?, output: Tensor.Shape) {
    var output = input
    switch self {
    case .input:
      return (nil, output)
    case .slice(let channels):
      output.channels = channels.count
      return (nil, output)
    case .convolution(let step):
      return (.convolution(step.geometry), step.geometry.outputShape(for: input))
    case .upConvolution(let step):
      return (
        .upConvolution,
        UpConvolution.outputShape(for: input, outputChannels: step.outputChannels)
      )
    case .maxPool:
      return (.maxPool, MaxPooling.outputShape(for: input))
    case .depthwise(let step):
      return (.depthwise(step.geometry), step.geometry.outputShape(for: input))
    case .globalContext:
      return (.globalContext, output)
    case .float(let layer):
      return (.float(layer.kind), layer.outputShape(for: input))
    }
  }

  fileprivate var parameters: Int {
    var count = weights.reduce(0) { $0 + $1.outputChannels * ($1.kernelCount + 1) }
    if case .float(let layer) = self { count += layer.otherParameters }
    return count
  }
}
