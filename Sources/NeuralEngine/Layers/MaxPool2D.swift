/// 3×3 maximum pooling of stride 2 with TensorFlow's SAME padding.
public struct MaxPool2D: Layer {
  private let name: String

  public init(name: String) { self.name = name }

  public func callAsFunction(_ x: Node) -> Node {
    Node(.maxPool, layer: name, name: name, channels: x.channels, inputs: [x])
  }
}
