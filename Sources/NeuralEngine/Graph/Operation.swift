import DepthBase

/// A layer's operation before its weights are packed, with one type per kind of layer.
///
/// An operation reads one map, and optionally a second map from the node's second input.
/// ``canQuantize(reading:)`` reports a quantized form, which ``prepared(_:instructionSet:packing:)`` prepares.
protocol Operation: Sendable {
  /// A word for tables, such as `attention`.
  var kind: String { get }
  /// The weights that preparation reads, channel by channel.
  var weights: [ConvolutionWeights] { get }
  /// Number of parameters that are not in ``weights``.
  var otherParameters: Int { get }
  /// The extent of scales that integer layers measure during the run.
  var measuredScale: MeasuredScale { get }
  /// Whether the weights may be packed before each run instead of once, which is useful only for large weights.
  var packsWeights: Bool { get }
  /// The result's shape, which depends on the first input alone.
  func outputShape(for input: Tensor.Shape) -> Tensor.Shape
  /// Returns whether no value of some channels of the result can be negative.
  func isNonnegative(_ channels: Range<Int>, reading source: Node) -> Bool
  /// Reads and packs the weights of the layer with floats.
  ///
  /// - Throws: `DepthError` when a kernel cannot be read or is not finite.
  func prepared(_ preparation: Preparation) throws -> any PreparedOperation

  /// Width of the border that the operation reads around a quantized map, in pixels.
  var borderRead: Int { get }
  /// Whether the operation commutes with quantization, like a maximum.
  var selectsValues: Bool { get }
  /// Returns whether the layer has a quantized form for its input.
  func canQuantize(reading source: Node) -> Bool
  /// The layer with quantized maps.
  ///
  /// - Parameter packing: Packs the kernels. Packing throws `DepthError` if a kernel cannot be read or is not finite.
  /// - Throws: `DepthError` when the weights' scales cannot be read.
  func prepared(
    _ maps: MapQuantizations, instructionSet: Int8InstructionSet, packing: inout DeferredPacking
  ) throws -> any PreparedOperation
}

extension Operation {
  var weights: [ConvolutionWeights] { [] }
  var otherParameters: Int { 0 }
  var measuredScale: MeasuredScale { .none }
  var packsWeights: Bool { false }
  var borderRead: Int { 1 }
  var selectsValues: Bool { false }

  func isNonnegative(_ channels: Range<Int>, reading source: Node) -> Bool { false }
  func canQuantize(reading source: Node) -> Bool { false }

  func prepared(
    _ maps: MapQuantizations, instructionSet: Int8InstructionSet, packing: inout DeferredPacking
  ) throws -> any PreparedOperation {
    preconditionFailure("a layer '\(kind)' has no quantized form")
  }
}

/// The extent of a scale that an integer layer measures during the run if no scale is stored.
package enum MeasuredScale: Sendable, Hashable {
  /// No extent, since the layer requires stored scales.
  case none
  /// One pixel, which is a token; see ``Linear``.
  case pixel
  /// The whole map of each image.
  case map
}

/// Operations that need no preparation, and are their own prepared form.
extension Operation where Self: PreparedOperation {
  func prepared(_ preparation: Preparation) -> any PreparedOperation { self }
}

/// The input shape, the kernels and the memory for which a float layer is prepared.
struct Preparation {
  /// The usual shape of the first input.
  let input: Tensor.Shape
  /// Whether the layer has a second input.
  let readsSecond: Bool
  /// Whether no value of the first input can be negative.
  let isNonnegative: Bool
  let backend: GEMMBackend
  /// The instruction set of integers, if the layer may quantize maps during the run.
  let int8: Int8InstructionSet?
  let place: WeightPlace
  let team: ThreadTeam
}
