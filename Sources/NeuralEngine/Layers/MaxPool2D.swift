/// 3×3 maximum pooling of stride 2 with TensorFlow's SAME padding.
package struct MaxPool2D: Layer {
  private let name: String

  package init(name: String) { self.name = name }

  package func callAsFunction(_ x: Node) -> Node {
    Node(MaxPooling(), layer: name, name: name, channels: x.channels, inputs: [x])
  }
}
