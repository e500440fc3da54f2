package import HDF5Files
package import NeuralEngine

/// An archive with some changed tensors and attributes, for tests of refusals.
package struct EditedWeights: WeightArchive {
  /// A tensor that is added, or replaces a tensor of the archive.
  package struct Tensor: Sendable {
    package var shape: [Int]
    package var elements: [Float]

    package init(shape: [Int], elements: [Float]) {
      (self.shape, self.elements) = (shape, elements)
    }
  }

  package var base: any WeightArchive
  package var removedTensors: Set<String> = []
  package var tensors: [String: Tensor] = [:]
  package var removedAttributes: Set<String> = []
  package var attributes: [String: HDF5Attribute] = [:]

  package init(_ base: any WeightArchive) { self.base = base }

  package var name: String { base.name }

  package var shapes: [String: [Int]] {
    base.shapes.filter { !removedTensors.contains($0.key) }
      .merging(tensors.mapValues(\.shape)) { $1 }
  }

  package func text(_ attribute: String) -> String? {
    value(attribute, \.text, base.text)
  }

  package func integers(_ attribute: String) -> [Int]? {
    value(attribute, \.integers, base.integers)
  }

  package func numbers(_ attribute: String) -> [Double]? {
    value(attribute, \.numbers, base.numbers)
  }

  package func attributeDescription(_ attribute: String) -> String? {
    value(attribute, \.description, base.attributeDescription)
  }

  private func value<Value>(
    _ attribute: String, _ own: (HDF5Attribute) -> Value?, _ other: (String) -> Value?
  ) -> Value? {
    if removedAttributes.contains(attribute) { return nil }
    return attributes[attribute].map(own) ?? other(attribute)
  }

  package func elements(of tensor: String) throws -> [Float] {
    try tensors[tensor]?.elements ?? base.elements(of: tensor)
  }
}
