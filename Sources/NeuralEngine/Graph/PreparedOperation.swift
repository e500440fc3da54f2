import DepthBase

/// An ``Operation`` with packed weights, ready to run.
protocol PreparedOperation: Sendable {
  /// Bytes of the packed weights.
  var weightBytes: Int { get }
  /// Whether the second input is added element by element, so that the result may overwrite it.
  var addsSecond: Bool { get }
  /// The columns `shape` and `algorithm` of a table of timings, such as `3×3 64→64`.
  func description(for input: Tensor.Shape) -> (shape: String, algorithm: String)
  func outputShape(for input: Tensor.Shape) -> Tensor.Shape
  /// Floats of scratch for one run.
  func scratchCount(for input: Tensor.Shape, threads: Int) -> Int
  /// Multiply–adds of the direct form for one shape of the first input.
  func multiplyAdds(for input: Tensor.Shape) -> Int
  /// Computes one result, which does not depend on the number of threads.
  func run(_ run: LayerRun)
}

extension PreparedOperation {
  var weightBytes: Int { 0 }
  var addsSecond: Bool { false }
  func scratchCount(for input: Tensor.Shape, threads: Int) -> Int { 0 }
  func multiplyAdds(for input: Tensor.Shape) -> Int { 0 }
}

/// The maps, the memory and the threads of one run of a layer.
package struct LayerRun: Sendable {
  let inputMap: PlannedMap
  /// The second input, if the layer has one.
  let secondMap: PlannedMap?
  let outputMap: PlannedMap
  /// Offset of the layer's scratch, in floats.
  let scratch: Int
  let workspace: Workspace
  let backend: GEMMBackend
  let team: ThreadTeam
  /// Width / height of the photo in the network's input, which may be slightly stretched.
  var aspect = 1.0

  /// The maps of a float layer.
  var input: FeatureMap { inputMap.asFloats }
  var second: FeatureMap? { secondMap?.asFloats }
  var output: FeatureMap { outputMap.asFloats }

  /// The second input of a layer that has one.
  var requiredSecond: FeatureMap {
    guard let second else { preconditionFailure("one input, expected two") }
    return second
  }
}
