/// 3×3 maximum pooling with stride 2 and TensorFlow's SAME padding.
package struct MaxPool2D: Layer {
  private let name: String

  package init(name: String) { self.name = name }

  package func callAsFunction(_ x: Node) -> Node {
    Node(MaxPooling(), layer: name, name: name, channels: x.channels, inputs: [x])
  }
}

/// The maximum over a window around each pixel, without padding.
package struct WindowMaximum2D: Layer {
  private let name: String
  private let operation: WindowMaximum

  /// - Parameter size: Rows and columns of a window, an odd number.
  package init(_ name: String, size: Int) {
    precondition(size % 2 == 1, "a window of \(size), expected an odd number")
    self.name = name
    operation = WindowMaximum(size: size)
  }

  package func callAsFunction(_ x: Node) -> Node {
    Node(operation, layer: name, name: name, channels: x.channels, inputs: [x])
  }
}
