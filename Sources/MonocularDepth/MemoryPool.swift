import DepthBase
import NeuralEngine

/// Reuses workspaces between runs; a fresh one costs thousands of page faults.
///
/// A workspace serves every plan that fits into it: plans differ with the photo's orientation and with
/// the number of threads, and the pool is not to grow with either.
final class MemoryPool: Sendable {
  /// Workspaces kept at most. Estimates in progress at once each need one; the rest wait here.
  private static let largestCount = max(2, availableProcessors)
  private let idle = Monitor<[Workspace]>([])

  func withMemory<Result>(
    for plan: MemoryPlan, _ run: (Program.Memory) throws -> Result
  ) rethrows -> Result {
    let fitting = idle.update { idle in
      idle.indices.filter { plan.fits(idle[$0]) }.min { idle[$0].capacity < idle[$1].capacity }
        .map { idle.remove(at: $0) }
    }
    let workspace = fitting ?? Workspace(for: plan)
    defer {
      idle.update { idle in
        idle.append(workspace)
        // The smallest fits the fewest plans.
        if idle.count > Self.largestCount,
          let smallest = idle.indices.min(by: { idle[$0].capacity < idle[$1].capacity })
        {
          idle.remove(at: smallest)
        }
      }
    }
    return try run(Program.Memory(plan, in: workspace))
  }

  /// Workspaces that wait, for tests.
  var idleCount: Int { idle.read { $0.count } }
}
