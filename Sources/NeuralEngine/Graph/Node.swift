/// A node of a network's graph: an operation, its inputs, and the names of the layer and its result.
///
/// Applying layers to a node extends the graph. Nothing is computed until the graph is compiled into a ``Program``.
package final class Node: Sendable {
  /// The layer's name, as in timing tables.
  package let layer: String
  /// The result's name, as in the published graph: `res2a_relu`.
  package let name: String
  /// Channels of the result.
  package let channels: Int
  let content: Content
  let inputs: [Node]

  enum Content: Sendable {
    /// The network's input. It has a quantization if all values are integers that can be quantized without loss.
    case input(MapQuantization?)
    case operation(any Operation)
    /// Some of the source's channels. A slice costs no time and no memory.
    case slice(Range<Int>)
  }

  private init(_ content: Content, layer: String, name: String, channels: Int, inputs: [Node]) {
    self.content = content
    (self.layer, self.name, self.channels, self.inputs) = (layer, name, channels, inputs)
  }

  convenience init(
    _ operation: some Operation, layer: String, name: String, channels: Int, inputs: [Node]
  ) {
    self.init(.operation(operation), layer: layer, name: name, channels: channels, inputs: inputs)
  }

  /// The input of a network, a feature map of `channels` channels.
  ///
  /// - Parameter quantization: The quantization of integer inputs, such as pixels; `nil` for other inputs. A quantized first
  ///   layer requires this argument.
  package static func input(channels: Int, quantization: MapQuantization? = nil) -> Node {
    Node(.input(quantization), layer: "data", name: "data", channels: channels, inputs: [])
  }

  /// The channels `range` of this map, under another name.
  func slice(_ range: Range<Int>, name: String) -> Node {
    Node(.slice(range), layer: layer, name: name, channels: range.count, inputs: [self])
  }

  /// The result of several layers that are applied in order.
  package func sequenced<each L: Layer>(through layer: repeat each L) -> Node {
    var x = self
    for layer in repeat each layer { x = layer(x) }
    return x
  }
}

extension Node {
  /// The node's operation; `nil` for an input and a slice.
  var operation: (any Operation)? {
    if case .operation(let operation) = content { operation } else { nil }
  }

  /// The weights that compiling the node reads.
  var weights: [ConvolutionWeights] { operation?.weights ?? [] }

  /// The channels of a slice in its source map; `nil` for other nodes.
  var sliced: Range<Int>? { if case .slice(let range) = content { range } else { nil } }

  var isNetworkInput: Bool { if case .input = content { true } else { false } }

  /// Whether the node is a network input of quantized values.
  var isQuantizedInput: Bool { if case .input(.some) = content { true } else { false } }

  /// Whether no value of the result can be negative.
  var isNonnegative: Bool { isNonnegative(0..<channels) }

  /// Returns whether no value of some channels can be negative.
  func isNonnegative(_ channels: Range<Int>) -> Bool {
    switch content {
    case .input: false
    case .operation(let operation): operation.isNonnegative(channels, reading: inputs[0])
    case .slice(let range):
      inputs[0].isNonnegative(
        range.lowerBound + channels.lowerBound..<range.lowerBound + channels.upperBound)
    }
  }

  /// - Precondition: The result has `expected` channels.
  func require(channels expected: Int) {
    precondition(channels == expected, "x has \(channels) channels, expected \(expected)")
  }

  /// This node and all nodes that it depends on, in topological order.
  func ordered() -> [Node] {
    var order: [Node] = []
    var seen: Set<ObjectIdentifier> = []
    func visit(_ node: Node) {
      guard seen.insert(ObjectIdentifier(node)).inserted else { return }
      node.inputs.forEach(visit)
      order.append(node)
    }
    visit(self)
    return order
  }
}

/// A part of a network: a function from one feature map to another.
package protocol Layer: Sendable {
  /// Extends the graph by this layer.
  func callAsFunction(_ x: Node) -> Node
}

/// Layers that are applied in order.
package struct Sequential: Layer {
  private let layers: [any Layer]

  package init(_ layers: [any Layer]) { self.layers = layers }

  package func callAsFunction(_ x: Node) -> Node { layers.reduce(x) { $1($0) } }
}
