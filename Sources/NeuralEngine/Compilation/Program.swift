package import DepthBase

/// A compiled network: its layers in order, with weights packed for this processor.
///
/// Immutable and safe to share between threads; each run uses a ``Memory`` of its own.
package struct Program: Sendable {
  /// One computed feature map, or a slice of one.
  struct Value: Sendable {
    let name: String
    let channels: Int
    /// For a slice, the value that it is part of, and its channels there.
    var slice: (source: Int, channels: Range<Int>)?
    /// For a quantized map, the quantization of each channel.
    var quantization: [MapQuantization]?
    /// Pixels around a quantized map.
    var border = 1
  }

  struct Layer: Sendable {
    let name: String
    /// The operation, without its weights where ``packed`` makes them.
    let operation: any PreparedOperation
    /// Packs the weights before each run of the layer; `nil` where they are kept.
    var packed: Packing?
    /// Index of the value that the layer reads.
    let input: Int
    /// Index of the second value that it reads, if any.
    let second: Int?
    /// Index of the value that the layer writes.
    let output: Int
  }

  /// Reads and packs the weights of one layer, which can run then.
  typealias Packing = @Sendable (WeightPlace, ThreadTeam) throws -> any PreparedOperation

  let values: [Value]
  let layers: [Layer]
  /// Index of the network's output; its input is value 0.
  let output: Int
  /// The matrix-multiplication back end.
  package let backend: GEMMBackend
  /// The instruction set of layers that compute with 8-bit quantized values; `nil` where all compute with floats.
  package let int8: Int8InstructionSet?

  /// Names of all values, in topological order.
  package var valueNames: [String] { values.map(\.name) }
}
