import DepthBase

/// 3×3 maximum pooling of stride 2 with TensorFlow's SAME padding.
package struct MaxPool2D: Layer {
  private let name: String

  package init(name: String) { self.name = name }

  package func callAsFunction(_ x: Node) -> Node {
    Node(MaxPoolOperation(), layer: name, name: name, channels: x.channels, inputs: [x])
  }
}

struct MaxPoolOperation: Operation {
  var kind: String { "max3×3/2" }
  var selectsValues: Bool { true }

  func outputShape(for input: Tensor.Shape) -> Tensor.Shape { MaxPooling.outputShape(for: input) }

  func isNonnegative(_ channels: Range<Int>, reading source: Node) -> Bool {
    source.isNonnegative(channels)
  }

  func prepared(_ preparation: Preparation) -> any PreparedOperation {
    MaxPooling(backend: preparation.backend)
  }

  func prepared(
    _ maps: MapQuantizations, instructionSet: Int8InstructionSet, packing: inout DeferredPacking
  ) -> any PreparedOperation {
    QuantizedMaxPooling(maps.input, instructionSet: instructionSet)
  }
}
