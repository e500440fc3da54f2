package import DepthBase

/// A compiled network: its layers in order, with weights packed for this processor.
///
/// A program is immutable and safe to share between threads. Each run uses its own ``Memory``.
package struct Program: Sendable {
  /// One computed feature map, or a slice of a feature map.
  struct Value: Sendable {
    let name: String
    let channels: Int
    /// Source value of a slice, and the slice's channels in the source.
    var slice: (source: Int, channels: Range<Int>)?
    /// Quantization of each channel of a quantized map.
    var quantization: [MapQuantization]?
    /// Pixels around a quantized map.
    var border = 1
  }

  struct Layer: Sendable {
    let name: String
    /// The operation. If ``packed`` is set, the operation has no weights.
    let operation: any PreparedOperation
    /// Packs the weights before each run of the layer; `nil` if the weights are kept.
    var packed: Packing?
    /// Index of the value that the layer reads.
    let input: Int
    /// Index of the second value that the layer reads, if any.
    let second: Int?
    /// Index of the value that the layer writes.
    let output: Int
  }

  /// Reads and packs the weights of one layer.
  typealias Packing = @Sendable (WeightPlace, ThreadTeam) throws -> any PreparedOperation

  let values: [Value]
  let layers: [Layer]
  /// Index of the network's output. The network's input is value 0.
  let output: Int
  /// The matrix-multiplication back end.
  package let backend: GEMMBackend
  /// The instruction set of integer layers; `nil` if all layers compute with floats.
  package let int8: Int8InstructionSet?

  /// Names of all values, in topological order.
  package var valueNames: [String] { values.map(\.name) }
}
