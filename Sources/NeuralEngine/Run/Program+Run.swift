import DepthBase

extension Program {
  /// The workspace of one run at a time, for one memory plan.
  package final class Memory: Sendable {
    let plan: MemoryPlan
    let workspace: Workspace

    package init(_ plan: MemoryPlan) {
      self.plan = plan
      workspace = Workspace(capacity: plan.capacity)
    }

    /// Takes over a workspace that no run uses any more.
    ///
    /// - Precondition: it is large enough for the plan.
    package init(_ plan: MemoryPlan, in workspace: Workspace) {
      precondition(
        workspace.capacity >= plan.capacity,
        "a workspace of \(workspace.capacity) floats, expected \(plan.capacity)")
      (self.plan, self.workspace) = (plan, workspace)
    }
  }

  /// The time and the work of one step, for all images of the batch.
  package struct StepReport: Sendable {
    /// Names of the layer and of its result.
    package let layer, value: String
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
  /// The result is a function of the input, to the last bit: it depends neither on the number of
  /// threads nor on concurrent runs.
  ///
  /// - Parameters:
  ///   - input: `n × h × w × c`, of the shape that the plan was made for.
  ///   - memory: Memory that no other run uses at the same time.
  ///   - keep: Names of intermediate results to return.
  ///   - observe: Called once per step, in order, at the end of the step's pass.
  /// - Returns: The network's output, and the intermediate results by name.
  /// - Throws: `DepthError` when weights that are not kept cannot be read.
  package func run(
    _ input: Tensor, in memory: Memory, keeping keep: Set<String> = [],
    observe: ((StepReport) -> Void)? = nil
  ) throws -> (output: Tensor, kept: [String: Tensor]) {
    try run(input, in: memory, keeping: keep, observe: observe) { _ in }
  }

  /// ``run(_:in:keeping:observe:)`` that can be ended early.
  ///
  /// - Parameter beforeStep: Called before each step and each image of it, with the share of them
  ///   that is done, 0…1.
  /// - Throws: Whatever `beforeStep` throws, which ends the run; `DepthError` when weights that are not kept cannot be
  ///   read.
  package func run(
    _ input: Tensor, in memory: Memory, keeping keep: Set<String> = [],
    observe: ((StepReport) -> Void)? = nil, beforeStep: (_ share: Double) throws -> Void
  ) throws -> (output: Tensor, kept: [String: Tensor]) {
    let (plan, workspace) = (memory.plan, memory.workspace)
    workspace.write(input, to: plan.maps[0].asFloats)
    var kept: [String: Tensor] = [:]
    let runs = plan.passes.reduce(0) {
      $0 + $1.steps.count * ($1.isPerImage ? input.shape.count : 1)
    }
    var done = 0
    try GEMMBackend.withoutNestedThreads(backend) {
      try ThreadTeam.run(threads: plan.threads) { team in
        for pass in plan.passes {
          var durations = [Duration](repeating: .zero, count: steps.count)
          for image in pass.isPerImage ? (0..<input.shape.count).map(Optional.some) : [nil] {
            for index in pass.steps {
              try beforeStep(Double(done) / Double(runs))
              done += 1
              durations[index] += try run(steps[index], plan, image, workspace, on: team)
              keepResults(of: steps[index], named: keep, plan, image, workspace, in: &kept)
            }
          }
          guard let observe else { continue }
          for index in pass.steps { observe(report(steps[index], plan, durations[index])) }
        }
      }
    }
    return (workspace.tensor(at: plan.maps[output].asFloats), kept)
  }

  /// Runs one step and measures its time, that of packing its weights included.
  ///
  /// - Parameter image: `nil` in a pass over the whole batch.
  private func run(
    _ step: Step, _ plan: MemoryPlan, _ image: Int?, _ workspace: Workspace, on team: ThreadTeam
  ) throws -> Duration {
    let clock = ContinuousClock()
    let start = clock.now
    let input = plan.map(step.input, image: image)
    let output = plan.map(step.output, image: image)
    let operation =
      try step.packed?(.workspace(workspace, offset: plan.weights), team) ?? step.operation
    switch operation {
    case .convolution(let convolution):
      convolution.run(
        input.asFloats, adding: step.residual.map { plan.map($0, image: image).asFloats },
        into: output.asFloats, scratch: plan.scratch, in: workspace, on: team)
    case .upConvolution(let convolution):
      convolution.run(
        input.asFloats, into: output.asFloats, scratch: plan.scratch, in: workspace, on: team)
    case .maxPool(let pooling):
      pooling.run(input.asFloats, into: output.asFloats, in: workspace, on: team)
    case .codeMaxPool(let pooling):
      pooling.run(input.asCodes, into: output.asCodes, in: workspace, on: team)
    case .depthwise(let convolution):
      convolution.run(input.asFloats, into: output.asFloats, in: workspace, on: team)
    case .globalContext(let context):
      context.run(input.asFloats, into: output.asFloats, in: workspace, on: team)
    case .float(let layer):
      layer.run(
        LayerRun(
          input: input.asFloats, second: step.residual.map { plan.map($0, image: image).asFloats },
          output: output.asFloats, scratch: plan.scratch, workspace: workspace, backend: backend,
          team: team))
    case .codeDepthwise(let convolution):
      convolution.run(input.asCodes, into: output.asDestination, in: workspace, on: team)
    case .codeConvolution(let convolution):
      convolution.run(
        input.asCodes, adding: step.residual.map { plan.map($0, image: image).asCodes },
        into: output.asDestination, scratch: plan.scratch, in: workspace, on: team)
    case .codePair(let pair):
      pair.run(
        input.asCodes, adding: step.residual.map { plan.map($0, image: image).asCodes },
        into: output.asFloats, scratch: plan.scratch, in: workspace, on: team)
    case .quantization(let quantization):
      quantization.run(input.asFloats, into: output.asCodes, in: workspace, on: team)
    }
    return clock.now - start
  }

  /// Copies the outputs that the caller asked to keep before their buffers are reused.
  private func keepResults(
    of step: Step, named names: Set<String>, _ plan: MemoryPlan, _ image: Int?,
    _ workspace: Workspace, in kept: inout [String: Tensor]
  ) {
    guard !names.isEmpty else { return }
    for (index, value) in values.enumerated()
    where names.contains(value.name) && owner(of: index) == step.output {
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

  /// The values of a map; those of codes are multiplied by their steps.
  private func tensor(of value: Int, at map: PlannedMap, in workspace: Workspace) -> Tensor {
    switch map {
    case .floats(let map): return workspace.tensor(at: map)
    case .codes(let map):
      let codes = values[value].codes ?? []
      let elements = workspace.codes(at: map).enumerated().map { index, code in
        codes[index % map.shape.channels].value(of: code)
      }
      return Tensor(shape: map.shape, elements: elements)
    }
  }

  private func report(_ step: Step, _ plan: MemoryPlan, _ duration: Duration) -> StepReport {
    var (input, output) = (plan.maps[step.input].shape, plan.maps[step.output].shape)
    (input.count, output.count) = (plan.input.count, plan.input.count)
    let (shape, algorithm, multiplyAdds) =
      switch step.operation {
      case .convolution(let convolution):
        (
          convolution.geometry.description, convolution.algorithm.description,
          convolution.geometry.multiplyAdds(for: output)
        )
      case .upConvolution(let convolution):
        (
          "up \(convolution.inputChannels)→\(convolution.outputChannels)",
          convolution.algorithm.description, convolution.multiplyAdds(for: input)
        )
      case .maxPool: ("3×3 /2", "max", 0)
      case .codeMaxPool: ("3×3 /2", "int8", 0)
      case .codeConvolution(let convolution):
        (
          convolution.geometry?.description
            ?? "up \(convolution.inputChannels)→\(convolution.outputChannels)",
          convolution.usesWinograd(for: input) ? "int8, winograd 4" : "int8",
          convolution.multiplyAdds(for: input)
        )
      case .depthwise(let convolution):
        (
          convolution.geometry.description, "direct",
          convolution.geometry.multiplyAdds(for: output)
        )
      case .codeDepthwise(let convolution):
        (
          convolution.geometry.description, "int8",
          convolution.geometry.multiplyAdds(for: output)
        )
      case .codePair(let pair):
        (
          "\(pair.first.geometry?.description ?? "")→\(pair.second.geometry.outputChannels)",
          "int8, \(pair.second.algorithm)", pair.multiplyAdds(for: input)
        )
      case .globalContext(let context):
        ("context \(context.channels)", "mean", context.multiplyAdds(for: input))
      case .quantization: ("", "to int8", 0)
      case .float(let layer):
        (layer.description.shape, layer.description.algorithm, layer.multiplyAdds(for: input))
      }
    return StepReport(
      layer: step.layer, value: values[step.output].name, input: input, output: output,
      shape: shape, algorithm: algorithm, multiplyAdds: multiplyAdds, duration: duration)
  }
}
