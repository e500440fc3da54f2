import DepthBase

/// A layer of floats that has an algorithm of its own: everything but convolutions and pooling.
///
/// It reads one map and may read a second one, which is the node's second input.
protocol FloatLayer: Sendable {
  /// One word for tables: `attention`.
  var kind: String { get }
  /// The weights that preparing the layer reads, channel by channel.
  var weights: [ConvolutionWeights] { get }
  /// Numbers of the layer that are not among ``weights``.
  var otherParameters: Int { get }
  /// The result's shape; the first input alone decides it.
  func outputShape(for input: Tensor.Shape) -> Tensor.Shape
  /// Reads and packs the weights.
  ///
  /// - Parameters:
  ///   - input: The usual shape of the first input.
  ///   - bfloat16: The instruction set of bfloat16, where the layer may round what it multiplies.
  /// - Throws: `DepthError` when a kernel cannot be read or is not finite.
  func prepared(
    forInput input: Tensor.Shape, backend: GEMMBackend, bfloat16: BFloat16InstructionSet?,
    on team: ThreadTeam
  ) throws -> any PreparedFloatLayer
}

extension FloatLayer {
  var weights: [ConvolutionWeights] { [] }
  var otherParameters: Int { 0 }
}

/// A layer with nothing to prepare runs as it is.
extension FloatLayer where Self: PreparedFloatLayer {
  func prepared(
    forInput input: Tensor.Shape, backend: GEMMBackend, bfloat16: BFloat16InstructionSet?,
    on team: ThreadTeam
  ) -> any PreparedFloatLayer { self }
}

/// A ``FloatLayer`` that can run.
protocol PreparedFloatLayer: Sendable {
  /// What the columns `shape` and `algorithm` of a table of timings show.
  var description: (shape: String, algorithm: String) { get }
  /// Bytes of the packed weights.
  var weightBytes: Int { get }
  func outputShape(for input: Tensor.Shape) -> Tensor.Shape
  /// Floats of scratch for one run.
  func scratchCount(for input: Tensor.Shape, threads: Int) -> Int
  /// Multiply–adds for one shape of the first input.
  func multiplyAdds(for input: Tensor.Shape) -> Int
  /// Computes one result, whose bits do not depend on the team's threads.
  func run(_ run: LayerRun)
}

extension PreparedFloatLayer {
  var weightBytes: Int { 0 }
  func scratchCount(for input: Tensor.Shape, threads: Int) -> Int { 0 }
  func multiplyAdds(for input: Tensor.Shape) -> Int { 0 }
}

/// The maps, the memory and the threads of one run of a layer.
package struct LayerRun: Sendable {
  let input: FeatureMap
  /// The second input, if the layer has one.
  let second: FeatureMap?
  let output: FeatureMap
  /// Offset of the layer's scratch, in floats.
  let scratch: Int
  let workspace: Workspace
  let backend: GEMMBackend
  let team: ThreadTeam

  /// The second input of a layer that has one.
  var requiredSecond: FeatureMap {
    guard let second else { preconditionFailure("one input, expected two") }
    return second
  }
}
