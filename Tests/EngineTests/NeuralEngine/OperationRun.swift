import DepthBase
import _TestSupport

@testable import NeuralEngine

/// Runs one float layer on new maps.
func run(
  _ layer: some Operation, _ first: Tensor, _ second: Tensor? = nil,
  on set: InstructionSet = .current, threads: Int = 1, backend: GEMMBackend? = nil,
  int8: Int8InstructionSet? = nil, isNonnegative: Bool = false
) throws -> Tensor {
  let backend = backend ?? .packed(set)
  return try ThreadTeam.run(threads: threads) { team in
    let prepared = try layer.prepared(
      Preparation(
        input: first.shape, readsSecond: second != nil, isNonnegative: isNonnegative,
        backend: backend, int8: int8, place: .own, team: team))
    let input = FeatureMap(shape: first.shape, offset: 0)
    let other = second.map {
      FeatureMap(shape: $0.shape, offset: Workspace.aligned(input.extent))
    }
    let output = FeatureMap(
      shape: prepared.outputShape(for: first.shape),
      offset: (other?.offset ?? 0) + Workspace.aligned((other ?? input).extent))
    let scratch = output.offset + Workspace.aligned(output.extent)
    let needed = prepared.scratchCount(for: first.shape, threads: threads)
    let workspace = Workspace(capacity: scratch + needed + 16)
    for index in 0..<workspace.capacity { workspace.base[index] = .nan }
    workspace.write(first, to: input)
    if let second, let other { workspace.write(second, to: other) }
    prepared.run(
      LayerRun(
        inputMap: .floats(input), secondMap: other.map { .floats($0) }, outputMap: .floats(output),
        scratch: scratch, workspace: workspace, backend: backend, team: team))
    for index in scratch + needed..<workspace.capacity {
      precondition(workspace.base[index].isNaN, "a layer writes behind its scratch")
    }
    return workspace.tensor(at: output)
  }
}

extension PreparedOperation {
  /// Runs the layer on maps in a workspace.
  func run(
    _ input: PlannedMap, adding second: QuantizedMap? = nil, into output: PlannedMap,
    scratch: Int = 0, in workspace: Workspace, backend: GEMMBackend = .best, on team: ThreadTeam
  ) {
    run(
      LayerRun(
        inputMap: input, secondMap: second.map { .quantized($0) }, outputMap: output,
        scratch: scratch, workspace: workspace, backend: backend, team: team))
  }
}

extension Workspace {
  /// Writes quantized values into a map, but not into its border.
  func write(_ values: [UInt8], to map: QuantizedMap) {
    precondition(values.count == map.shape.elementCount, "\(values.count) values for \(map.shape)")
    for (index, value) in values.enumerated() {
      let (pixel, channel) = index.quotientAndRemainder(dividingBy: map.shape.channels)
      self.pixel(pixel, of: map)[channel] = value
    }
  }
}

extension Tensor {
  /// Pseudorandom values in −1 … 1.
  static func noise(_ name: String, _ shape: Shape, scale: Float = 1) -> Tensor {
    Tensor(
      shape: shape, elements: EngineTests.noise(name, shape.elementCount).map { $0 * scale })
  }

  /// One image as a reference map.
  func map(image: Int = 0) -> ReferenceConvolution.Map {
    let count = shape.area * shape.channels
    return ReferenceConvolution.Map(
      height: shape.height, width: shape.width, channels: shape.channels,
      elements: elements[image * count..<(image + 1) * count].map(Double.init))
  }
}
