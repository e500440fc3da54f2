/// A network ready to run: its steps in order, with weights prepared for this processor.
///
/// Immutable and safe to share; every run brings its own memory.
public struct Program: Sendable {
  /// One computed feature map, or a slice of one.
  struct Value: Sendable {
    let name: String
    let channels: Int
    /// For a slice: the value it is cut from, and where.
    var slice: (source: Int, channels: Range<Int>)?
  }

  struct Step: Sendable {
    let layer: String
    let operation: Operation
    /// Index of the value that is read.
    let input: Int
    /// Index of the value that is added, if any.
    let residual: Int?
    /// Index of the value that is written.
    let output: Int
  }

  enum Operation: Sendable {
    case convolution(Convolution)
    case upConvolution(UpConvolution)
    case maxPool(MaxPooling)
  }

  let values: [Value]
  let steps: [Step]
  /// Index of the network's result. Its input is value 0.
  let output: Int
  /// Who multiplies matrices.
  public let products: Products

  /// Names of all results, in the order in which they are computed.
  public var valueNames: [String] { values.map(\.name) }
}
