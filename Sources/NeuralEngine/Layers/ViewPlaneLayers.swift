/// W · (u, v) + bias over the photo's view plane, at the size of a map; see ``ViewPlane``.
package struct ViewPlaneProjection2D: Layer {
  private let layer: String
  private let operation: ViewPlaneProjection

  /// - Parameter layer: The weights' group, whose kernel is `output × 2 × 1 × 1`.
  /// - Throws: `DepthError` when a tensor is missing, mis-shaped or not finite.
  package init(_ weights: WeightScope, _ layer: String, _ outputChannels: Int) throws {
    self.layer = layer
    let (u, v, bias) = try weights.viewPlane(layer, outputChannels)
    operation = ViewPlaneProjection(u: u, v: v, bias: bias)
  }

  /// - Parameter x: A map of the required size.
  package func callAsFunction(_ x: Node) -> Node {
    Node(
      operation, layer: layer, name: layer, channels: operation.bias.count, inputs: [x])
  }
}

/// Four phases of each output as pixels of a doubled map, plus W · (u, v) + bias; see ``PhaseShuffle``.
package struct PhaseShuffle2D: Sendable {
  private let layer: String
  private let operation: PhaseShuffle

  /// - Parameters:
  ///   - layer: The weights' group, whose kernel is `stored × 2 × 1 × 1`.
  ///   - stored: Number of outputs per phase.
  ///   - written: Number of leading outputs in the result.
  /// - Throws: `DepthError` when a tensor is missing, mis-shaped or not finite.
  package init(_ weights: WeightScope, _ layer: String, stored: Int, written: Int) throws {
    self.layer = layer
    let (u, v, bias) = try weights.viewPlane(layer, stored)
    operation = PhaseShuffle(
      stored: stored, u: Array(u.prefix(written)), v: Array(v.prefix(written)),
      bias: Array(bias.prefix(written)))
  }

  /// - Parameter number: A map with one value per image, which becomes the last channel.
  package func callAsFunction(_ phases: Node, number: Node) -> Node {
    phases.require(channels: 4 * operation.stored)
    number.require(channels: 1)
    return Node(
      operation, layer: layer, name: layer, channels: operation.bias.count + 1,
      inputs: [phases, number])
  }
}

/// The class token of a transformer's tokens, as a map of one pixel.
package struct ClassToken2D: Layer {
  private let name: String

  package init(_ name: String) { self.name = name }

  package func callAsFunction(_ tokens: Node) -> Node {
    Node(ClassToken(), layer: name, name: name, channels: tokens.channels, inputs: [tokens])
  }
}

extension WeightScope {
  /// The columns of a 1×1 kernel of two inputs, and its bias.
  fileprivate func viewPlane(
    _ layer: String, _ outputs: Int
  ) throws -> (u: [Float], v: [Float], bias: [Float]) {
    let kernel = try values("\(layer)/kernel", shape: [outputs, 2, 1, 1])
    return (
      stride(from: 0, to: kernel.count, by: 2).map { kernel[$0] },
      stride(from: 1, to: kernel.count, by: 2).map { kernel[$0] },
      try vector("\(layer)/bias", count: outputs)
    )
  }
}
