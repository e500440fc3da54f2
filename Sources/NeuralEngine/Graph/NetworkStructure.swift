/// The layers of a network, independent of their computation.
///
/// The description of a structure is the golden file of the networks' tests.
package struct NetworkStructure: Sendable, Equatable {
  /// A layer with an operation. Slices are not listed.
  package struct Layer: Sendable, Hashable {
    package let name: String
    /// A word for tables: `7×7/2`, `up-conv`, `max3×3/2`, `dw5×5/2` or `context`.
    package let kind: String
    /// Names of the input and of the residual.
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
      guard let operation = node.operation else {
        shapes[ObjectIdentifier(node)] = read.with(channels: node.channels)
        continue
      }
      let output = operation.outputShape(for: read)
      shapes[ObjectIdentifier(node)] = output
      layers.append(
        .init(
          name: node.layer, kind: operation.kind, source: node.inputs[0].name,
          residual: node.inputs.dropFirst().first?.name, input: read, output: output,
          parameters: operation.weights.reduce(operation.otherParameters) {
            $0 + $1.outputChannels * ($1.kernelCount + 1)
          }))
    }
    return NetworkStructure(layers: layers)
  }
}
