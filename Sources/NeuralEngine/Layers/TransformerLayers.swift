/// Normalizes each token: (token − mean) / deviation · γ + β, with mean and deviation over its channels.
package struct LayerNorm: Layer {
  private let layer: String
  private let operation: LayerNormalization

  /// - Parameters:
  ///   - layer: The weights' group, with `gamma` and `beta`.
  ///   - epsilon: Added to the variance before the division.
  /// - Throws: `DepthError` when a tensor is missing, mis-shaped or not finite.
  package init(
    _ weights: WeightScope, _ layer: String, channels: Int, epsilon: Float = 1e-6
  ) throws {
    self.layer = layer
    operation = LayerNormalization(
      gamma: try weights.vector("\(layer)/gamma", count: channels),
      beta: try weights.vector("\(layer)/beta", count: channels), epsilon: epsilon)
  }

  package func callAsFunction(_ x: Node) -> Node {
    x.require(channels: operation.channels)
    return Node(operation, layer: layer, name: layer, channels: x.channels, inputs: [x])
  }

  /// Normalizes the tokens of patches, without the class token, and arranges the tokens like the map of
  /// patches.
  ///
  /// - Parameter name: The result's name.
  package func callAsFunction(_ tokens: Node, layout patches: Node, name: String) -> Node {
    precondition(
      tokens.channels == operation.channels && patches.channels == operation.channels,
      "\(tokens.channels) and \(patches.channels) channels, expected \(operation.channels)")
    return Node(
      operation, layer: name, name: name, channels: tokens.channels, inputs: [patches, tokens])
  }
}

/// Multi-head self-attention of tokens with queries, keys and values side by side; see ``SelfAttention``.
package struct Attention: Layer {
  /// Channels of a head.
  package static let headWidth = SelfAttention.headWidth

  private let name: String
  private let operation: SelfAttention

  /// - Parameters:
  ///   - name: The name of the layer and its result.
  ///   - heads: Heads of 64 channels.
  package init(_ name: String, heads: Int) {
    self.name = name
    operation = SelfAttention(heads: heads)
  }

  package func callAsFunction(_ x: Node) -> Node {
    x.require(channels: 3 * operation.width)
    return Node(operation, layer: name, name: name, channels: operation.width, inputs: [x])
  }
}

/// The tokens of a Vision Transformer: a class token and the patches of an image, with their positions.
package struct Tokens: Layer {
  private let layer: String
  private let operation: TokenEmbedding

  /// - Parameters:
  ///   - layer: The weights' group, with `class_token` and `positions`.
  ///   - width: Channels of a token.
  ///   - trainedSide: Rows and columns of the learned positions.
  /// - Throws: `DepthError` when a tensor is missing, mis-shaped or not finite.
  package init(
    _ weights: WeightScope, _ layer: String, width: Int, trainedSide: Int
  ) throws {
    self.layer = layer
    operation = TokenEmbedding(
      classToken: try weights.vector("\(layer)/class_token", count: width),
      positions: try weights.values(
        "\(layer)/positions", shape: [1 + trainedSide * trainedSide, width]),
      trainedSide: trainedSide)
  }

  package func callAsFunction(_ x: Node) -> Node {
    x.require(channels: operation.width)
    return Node(operation, layer: layer, name: layer, channels: operation.width, inputs: [x])
  }
}
