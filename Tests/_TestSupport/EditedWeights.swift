public import NeuralEngine

/// Another archive with some tensors and attributes changed: for tests of what a loader refuses.
public struct EditedWeights: WeightArchive {
  /// A tensor that stands in for one of the archive, or beside them.
  public struct Tensor: Sendable {
    public var shape: [Int]
    public var elements: [Float]

    public init(shape: [Int], elements: [Float]) {
      (self.shape, self.elements) = (shape, elements)
    }
  }

  public var base: any WeightArchive
  public var removedTensors: Set<String> = []
  public var tensors: [String: Tensor] = [:]
  public var removedAttributes: Set<String> = []
  public var attributes: [String: WeightAttribute] = [:]

  public init(_ base: any WeightArchive) { self.base = base }

  public var name: String { base.name }

  public var shapes: [String: [Int]] {
    base.shapes.filter { !removedTensors.contains($0.key) }
      .merging(tensors.mapValues(\.shape)) { $1 }
  }

  public func attribute(_ name: String) -> WeightAttribute? {
    removedAttributes.contains(name) ? nil : attributes[name] ?? base.attribute(name)
  }

  public func elements(of tensor: String) throws -> [Float] {
    try tensors[tensor]?.elements ?? base.elements(of: tensor)
  }
}
