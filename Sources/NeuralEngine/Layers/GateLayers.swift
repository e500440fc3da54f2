/// Gates each value by the means of its row and column; see ``StripGate``.
package struct StripGate2D: Layer {
  private let operation: StripGate
  private let layer: String

  /// - Parameter layer: The weights' group, which contains kernels of one weight, and biases.
  /// - Throws: `DepthError` when a tensor is missing, mis-shaped or not finite.
  package init(_ weights: WeightScope, _ layer: String, channels: Int) throws {
    self.layer = layer
    operation = StripGate(
      kernels: try ConvolutionWeights(
        weights, layer: layer, norm: nil, hasBias: true, shape: [channels, 1, 1, 1]))
  }

  package func callAsFunction(_ x: Node) -> Node {
    x.require(channels: operation.kernels.outputChannels)
    return Node(operation, layer: layer, name: layer, channels: x.channels, inputs: [x])
  }
}

/// Doubles a map of one channel by learned combinations of its pixels; see ``ConvexUpsampling`` and ``GatedUpsampling``.
package struct Upsampling2D: Sendable {
  package enum Method: Sendable {
    case convex, gated
  }

  private let name: String
  private let method: Method

  package init(_ name: String, by method: Method) { (self.name, self.method) = (name, method) }

  /// - Parameters:
  ///   - map: A map with one channel.
  ///   - scores: A map of the same size, with the channels that the method reads.
  package func callAsFunction(_ map: Node, by scores: Node) -> Node {
    map.require(channels: 1)
    let inputs = [scores, map]
    switch method {
    case .convex:
      scores.require(channels: ConvexUpsampling.scores)
      return Node(ConvexUpsampling(), layer: name, name: name, channels: 1, inputs: inputs)
    case .gated:
      scores.require(channels: 1)
      return Node(GatedUpsampling(), layer: name, name: name, channels: 1, inputs: inputs)
    }
  }
}
