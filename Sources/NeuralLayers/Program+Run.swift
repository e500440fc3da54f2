import Kernels
public import Tensors

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

  /// What an observer sees after a step.
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
  ///   - observe: Called after every step.
  /// - Returns: The network's result and the kept ones by name.
  public func run(
    _ input: Tensor, in memory: Memory, keeping keep: Set<String> = [],
    observe: ((StepReport) -> Void)? = nil
  ) -> (output: Tensor, kept: [String: Tensor]) {
    let (plan, workspace) = (memory.plan, memory.workspace)
    workspace.write(input, to: plan.maps[0])
    var kept: [String: Tensor] = [:]
    let clock = ContinuousClock()
    Products.withoutNestedThreads(products) {
      ThreadTeam.run(threads: plan.threads) { team in
        for step in steps {
          let start = clock.now
          run(step, plan, workspace, on: team)
          observe?(report(step, plan, clock.now - start))
          guard !keep.isEmpty else { continue }
          for (index, value) in values.enumerated()
          where keep.contains(value.name) && (value.slice?.source ?? index) == step.output {
            kept[value.name] = workspace.tensor(at: plan.maps[index])
          }
        }
      }
    }
    return (workspace.tensor(at: plan.maps[output]), kept)
  }

  private func run(
    _ step: Step, _ plan: MemoryPlan, _ workspace: Workspace, on team: ThreadTeam
  ) {
    let (input, output) = (plan.maps[step.input], plan.maps[step.output])
    switch step.operation {
    case .convolution(let convolution):
      convolution.run(
        input, adding: step.residual.map { plan.maps[$0] }, into: output, scratch: plan.scratch,
        in: workspace, on: team)
    case .upConvolution(let convolution):
      convolution.run(input, into: output, scratch: plan.scratch, in: workspace, on: team)
    case .maxPool(let pooling):
      pooling.run(input, into: output, in: workspace, on: team)
    }
  }

  private func report(_ step: Step, _ plan: MemoryPlan, _ duration: Duration) -> StepReport {
    let (input, output) = (plan.maps[step.input].shape, plan.maps[step.output].shape)
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
