import ThreadTeams

extension Program {
  /// Memory for one run at a time, fitting one plan.
  public final class Memory: Sendable {
    let plan: MemoryPlan
    let workspace: Workspace

    public init(_ plan: MemoryPlan) {
      self.plan = plan
      workspace = Workspace(capacity: plan.capacity)
    }

    /// Whether a run by `plan` can use this memory.
    public func fits(_ plan: MemoryPlan) -> Bool { plan == self.plan }
  }

  /// What an observer sees of a step, all images together.
  public struct StepReport: Sendable {
    /// The layer, and the name of its result.
    public let layer, value: String
    public let input, output: Tensor.Shape
    /// `3×3 64→64`.
    public let shape: String
    public let algorithm: String
    /// Multiply–adds of the direct form.
    public let multiplyAdds: Int
    public let duration: Duration
  }

  /// Computes the network's result.
  ///
  /// The result depends on the input alone, to the last bit: not on the number of threads, nor on what
  /// else runs.
  ///
  /// - Parameters:
  ///   - input: `n × h × w × c`, of the shape that the plan was made for.
  ///   - memory: Used by this run alone.
  ///   - keep: Names of results that are wanted beside the network's.
  ///   - observe: Called for every step, in order, when its pass is over.
  /// - Returns: The network's result and the kept ones by name.
  public func run(
    _ input: Tensor, in memory: Memory, keeping keep: Set<String> = [],
    observe: ((StepReport) -> Void)? = nil
  ) -> (output: Tensor, kept: [String: Tensor]) {
    let (plan, workspace) = (memory.plan, memory.workspace)
    workspace.write(input, to: plan.maps[0])
    var kept: [String: Tensor] = [:]
    Products.withoutNestedThreads(products) {
      ThreadTeam.run(threads: plan.threads) { team in
        for pass in plan.passes {
          var durations = [Duration](repeating: .zero, count: steps.count)
          for image in pass.isPerImage ? (0..<input.shape.count).map(Optional.some) : [nil] {
            for index in pass.steps {
              durations[index] += run(steps[index], plan, image, workspace, on: team)
              keepResults(of: steps[index], named: keep, plan, image, workspace, in: &kept)
            }
          }
          guard let observe else { continue }
          for index in pass.steps { observe(report(steps[index], plan, durations[index])) }
        }
      }
    }
    return (workspace.tensor(at: plan.maps[output]), kept)
  }

  /// - Parameter image: nil where all images go together.
  private func run(
    _ step: Step, _ plan: MemoryPlan, _ image: Int?, _ workspace: Workspace, on team: ThreadTeam
  ) -> Duration {
    let clock = ContinuousClock()
    let start = clock.now
    let input = plan.map(step.input, image: image)
    let output = plan.map(step.output, image: image)
    switch step.operation {
    case .convolution(let convolution):
      convolution.run(
        input, adding: step.residual.map { plan.map($0, image: image) }, into: output,
        scratch: plan.scratch, in: workspace, on: team)
    case .upConvolution(let convolution):
      convolution.run(input, into: output, scratch: plan.scratch, in: workspace, on: team)
    case .maxPool(let pooling):
      pooling.run(input, into: output, in: workspace, on: team)
    }
    return clock.now - start
  }

  /// Copies what a step has made and somebody wants, before its memory is used again.
  private func keepResults(
    of step: Step, named names: Set<String>, _ plan: MemoryPlan, _ image: Int?,
    _ workspace: Workspace, in kept: inout [String: Tensor]
  ) {
    guard !names.isEmpty else { return }
    for (index, value) in values.enumerated()
    where names.contains(value.name) && owner(of: index) == step.output {
      let tensor = workspace.tensor(at: plan.map(index, image: image))
      if let image, image > 0, let before = kept[value.name] {
        var shape = tensor.shape
        shape.count += before.shape.count
        kept[value.name] = Tensor(shape: shape, elements: before.elements + tensor.elements)
      } else {
        kept[value.name] = tensor
      }
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
          "winograd \(convolution.tile)", convolution.multiplyAdds(for: input)
        )
      case .maxPool: ("3×3 /2", "max", 0)
      }
    return StepReport(
      layer: step.layer, value: values[step.output].name, input: input, output: output,
      shape: shape, algorithm: algorithm, multiplyAdds: multiplyAdds, duration: duration)
  }
}
