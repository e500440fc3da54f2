import DepthBase

extension Program {
  /// The workspace for one memory plan, used by one run at a time.
  package final class Memory: Sendable {
    let plan: MemoryPlan
    let workspace: Workspace

    /// - Parameter workspace: A workspace that no run uses; by default a new workspace.
    /// - Precondition: The workspace is large enough for the plan.
    package init(_ plan: MemoryPlan, in workspace: Workspace? = nil) {
      let workspace = workspace ?? Workspace(capacity: plan.capacity)
      precondition(
        workspace.capacity >= plan.capacity,
        "a workspace of \(workspace.capacity) floats, expected \(plan.capacity)")
      (self.plan, self.workspace) = (plan, workspace)
    }
  }

  /// The time and the work of one layer, for all images of the batch.
  package struct LayerReport: Sendable {
    /// Names of the layer and of its result.
    package let layer: String
    package let input, output: Tensor.Shape
    /// Kernel and channels, such as `3×3 64→64`.
    package let shape: String
    package let algorithm: String
    /// Multiply–adds of the direct form.
    package let multiplyAdds: Int
    package let duration: Duration
  }

  /// Computes the network's result.
  ///
  /// The result depends only on the input, to the bit, for any number of threads and any concurrent runs.
  ///
  /// - Parameters:
  ///   - input: The input, `n × h × w × c`, with the plan's input shape.
  ///   - aspect: Width / height of the photo in the input; by default, the input's width / height.
  ///   - memory: Memory that no other run uses at the same time.
  ///   - keep: Names of intermediate results to return.
  ///   - observe: Called once per layer, in order, at the end of the layer's pass.
  ///   - beforeLayer: Called with the completed share, 0…1, before each layer, and before each image in a per-image
  ///     pass.
  /// - Returns: The network's output, and the intermediate results by name.
  /// - Throws: Errors of `beforeLayer`, which end the run; `DepthError` if weights that are not kept cannot be read.
  package func run(
    _ input: Tensor, aspect: Double? = nil, in memory: Memory, keeping keep: Set<String> = [],
    observe: ((LayerReport) -> Void)? = nil,
    beforeLayer: (_ share: Double) throws -> Void = { _ in }
  ) throws -> (output: Tensor, kept: [String: Tensor]) {
    let (plan, workspace) = (memory.plan, memory.workspace)
    workspace.write(input, to: plan.maps[0].asFloats)
    var kept: [String: Tensor] = [:]
    let runs = plan.passes.reduce(0) {
      $0 + $1.layers.count * ($1.isPerImage ? input.shape.count : 1)
    }
    var done = 0
    let aspect = aspect ?? Double(input.shape.width) / Double(input.shape.height)
    try backend.withoutNestedThreads {
      try ThreadTeam.run(threads: plan.threads) { team in
        for pass in plan.passes {
          var durations = [Duration](repeating: .zero, count: layers.count)
          for image in pass.isPerImage ? (0..<input.shape.count).map(Optional.some) : [nil] {
            for index in pass.layers {
              try beforeLayer(Double(done) / Double(runs))
              done += 1
              durations[index] += try run(
                layers[index], plan, image, aspect, workspace, on: team)
              keepResults(of: layers[index], named: keep, plan, image, workspace, in: &kept)
            }
          }
          guard let observe else { continue }
          for index in pass.layers { observe(report(layers[index], plan, durations[index])) }
        }
      }
    }
    return (workspace.tensor(at: plan.maps[output].asFloats), kept)
  }

  /// Runs one layer and measures its time, including the packing of its weights.
  ///
  /// - Parameter image: `nil` in a pass over the whole batch.
  private func run(
    _ layer: Layer, _ plan: MemoryPlan, _ image: Int?, _ aspect: Double, _ workspace: Workspace,
    on team: ThreadTeam
  ) throws -> Duration {
    let clock = ContinuousClock()
    let start = clock.now
    let operation =
      try layer.packed?(.workspace(workspace, offset: plan.weights), team) ?? layer.operation
    operation.run(
      LayerRun(
        inputMap: plan.map(layer.input, image: image),
        secondMap: layer.second.map { plan.map($0, image: image) },
        outputMap: plan.map(layer.output, image: image), scratch: plan.scratch,
        workspace: workspace,
        backend: backend, team: team, aspect: aspect))
    return clock.now - start
  }

  /// Copies requested intermediate results before their buffers are reused.
  private func keepResults(
    of layer: Layer, named names: Set<String>, _ plan: MemoryPlan, _ image: Int?,
    _ workspace: Workspace, in kept: inout [String: Tensor]
  ) {
    guard !names.isEmpty else { return }
    for (index, value) in values.enumerated()
    where names.contains(value.name) && owner(of: index) == layer.output {
      let tensor = self.tensor(of: index, at: plan.map(index, image: image), in: workspace)
      if let image, image > 0, let before = kept[value.name] {
        var shape = tensor.shape
        shape.count += before.shape.count
        kept[value.name] = Tensor(shape: shape, elements: before.elements + tensor.elements)
      } else {
        kept[value.name] = tensor
      }
    }
  }

  /// The values of a map. Quantized values are dequantized.
  private func tensor(of value: Int, at map: PlannedMap, in workspace: Workspace) -> Tensor {
    switch map {
    case .floats(let map): return workspace.tensor(at: map)
    case .quantized(let map):
      let quantizations = values[value].quantization ?? []
      let elements = workspace.values(at: map).enumerated().map { index, value in
        quantizations[index % map.shape.channels].value(of: value)
      }
      return Tensor(shape: map.shape, elements: elements)
    }
  }

  private func report(_ layer: Layer, _ plan: MemoryPlan, _ duration: Duration) -> LayerReport {
    var (input, output) = (plan.maps[layer.input].shape, plan.maps[layer.output].shape)
    (input.count, output.count) = (plan.input.count, plan.input.count)
    let (shape, algorithm) = layer.operation.description(for: input)
    return LayerReport(
      layer: layer.name, input: input, output: output,
      shape: shape, algorithm: algorithm, multiplyAdds: layer.operation.multiplyAdds(for: input),
      duration: duration)
  }
}
