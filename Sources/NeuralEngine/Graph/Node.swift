/// A step of a network's graph: an operation, its inputs, and the names of the step and of its
/// result.
///
/// Applying layers to a node builds the network's graph; nothing is computed until the graph is
/// compiled into a ``Program``.
package final class Node: Sendable {
  /// The layer's name, as in tables of timings.
  package let layer: String
  /// The result's name, as in the published graph: `res2a_relu`.
  package let name: String
  /// Channels of the result.
  package let channels: Int
  let operation: Operation
  let inputs: [Node]

  enum Operation: Sendable {
    /// The network's input; its quantization where all values are quantized already, so that nothing is lost by it.
    case input(codes: MapCodes?)
    case convolution(ConvolutionStep)
    case upConvolution(UpConvolutionStep)
    case maxPool
    case depthwise(DepthwiseStep)
    case globalContext(GlobalContextStep)
    /// Any other layer on floats.
    case float(any FloatLayer)
    /// Some of the input's channels; costs neither time nor memory.
    case slice(Range<Int>)
  }

  init(_ operation: Operation, layer: String, name: String, channels: Int, inputs: [Node]) {
    self.operation = operation
    (self.layer, self.name, self.channels, self.inputs) = (layer, name, channels, inputs)
  }

  /// The input of a network, a feature map of `channels` channels.
  ///
  /// - Parameter codes: What the values are multiples of, as those of pictures are; `nil` for any values. A first layer
  ///   with integers reads nothing else.
  package static func input(channels: Int, codes: MapCodes? = nil) -> Node {
    Node(.input(codes: codes), layer: "data", name: "data", channels: channels, inputs: [])
  }

  /// The channels `range` of this map under another name.
  func slice(_ range: Range<Int>, name: String) -> Node {
    Node(.slice(range), layer: layer, name: name, channels: range.count, inputs: [self])
  }

  /// The result of applying layers one after the other.
  package func sequenced<each L: Layer>(through layer: repeat each L) -> Node {
    var x = self
    for layer in repeat each layer { x = layer(x) }
    return x
  }
}

/// A part of a network: a function from one feature map to another.
package protocol Layer: Sendable {
  /// Extends the graph by this layer.
  func callAsFunction(_ x: Node) -> Node
}

/// Layers one after the other.
package struct Sequential: Layer {
  private let layers: [any Layer]

  package init(_ layers: [any Layer]) { self.layers = layers }

  package func callAsFunction(_ x: Node) -> Node { layers.reduce(x) { $1($0) } }
}
