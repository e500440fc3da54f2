package import DepthBase

/// A compiled network: its steps in order, with weights packed for this processor.
///
/// Immutable and safe to share between threads; each run uses a ``Memory`` of its own.
package struct Program: Sendable {
  /// One computed feature map, or a slice of one.
  struct Value: Sendable {
    let name: String
    let channels: Int
    /// For a slice, the value that it is part of, and its channels there.
    var slice: (source: Int, channels: Range<Int>)?
    /// For a map of codes, the quantization of each channel.
    var codes: [MapCodes]?
    /// Pixels around a map of codes.
    var border = 1
  }

  struct Step: Sendable {
    let layer: String
    /// What the step computes; without its weights where ``packed`` makes them.
    let operation: Operation
    /// Packs the weights before each run of the step; `nil` where they are kept.
    var packed: Packing?
    /// Index of the value that the step reads.
    let input: Int
    /// Index of the value that the step adds, if any.
    let residual: Int?
    /// Index of the value that the step writes.
    let output: Int
  }

  enum Operation: Sendable {
    case convolution(Convolution)
    case upConvolution(UpConvolution)
    case maxPool(MaxPooling)
    case depthwise(DepthwiseConvolution)
    case globalContext(GlobalContext)
    case codeConvolution(CodeConvolution)
    case codeDepthwise(CodeDepthwiseConvolution)
    case codePair(CodeConvolutionPair)
    case codeMaxPool(CodeMaxPooling)
    case quantization(Quantization)
    case float(any PreparedFloatLayer)
  }

  /// Reads and packs the weights of one step, which can run then.
  typealias Packing = @Sendable (WeightPlace, ThreadTeam) throws -> Operation

  let values: [Value]
  let steps: [Step]
  /// Index of the network's output; its input is value 0.
  let output: Int
  /// The matrix-multiplication back end.
  package let backend: GEMMBackend
  /// The instruction set of layers that compute with 8-bit quantized values; `nil` where all compute with floats.
  package let codes: CodeInstructionSet?
  /// The instruction set of layers that round what they multiply to bfloat16; `nil` where none does.
  package let bfloat16: BFloat16InstructionSet?

  /// Names of all values, in topological order.
  package var valueNames: [String] { values.map(\.name) }
}
