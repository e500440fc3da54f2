/// A step of a network: an operation, what it reads, and the names of both step and result.
///
/// Applying layers to a node builds the network's graph; nothing is computed until the graph is
/// compiled into a ``Program``.
public final class Node: Sendable {
  /// The layer's name, as in tables of timings.
  public let layer: String
  /// The result's name, as in the published graph: `res2a_relu`.
  public let name: String
  /// Channels of the result.
  public let channels: Int
  let operation: Operation
  let inputs: [Node]

  enum Operation: Sendable {
    case input
    case convolution(ConvolutionStep)
    case upConvolution(UpConvolutionStep)
    case maxPool
    /// A slice of the input's channels; takes no time and no memory.
    case slice(Range<Int>)
  }

  init(_ operation: Operation, layer: String, name: String, channels: Int, inputs: [Node]) {
    self.operation = operation
    (self.layer, self.name, self.channels, self.inputs) = (layer, name, channels, inputs)
  }

  /// What a network is applied to first: a feature map of `channels` channels.
  public static func input(channels: Int) -> Node {
    Node(.input, layer: "data", name: "data", channels: channels, inputs: [])
  }

  /// The channels `range` of this map under another name.
  func slice(_ range: Range<Int>, name: String) -> Node {
    Node(.slice(range), layer: layer, name: name, channels: range.count, inputs: [self])
  }

  /// The result of applying layers one after the other.
  public func sequenced<each L: Layer>(through layer: repeat each L) -> Node {
    var x = self
    for layer in repeat each layer { x = layer(x) }
    return x
  }
}

/// A part of a network: takes one feature map to another.
public protocol Layer: Sendable {
  func callAsFunction(_ x: Node) -> Node
}

/// Layers one after the other.
public struct Sequential: Layer {
  private let layers: [any Layer]

  public init(_ layers: [any Layer]) { self.layers = layers }

  public func callAsFunction(_ x: Node) -> Node { layers.reduce(x) { $1($0) } }
}
