import NeuralEngine
import ProcessLimits
import Synchronization
import ThreadTeams

/// Reuses workspaces between runs; a fresh one costs thousands of page faults.
final class MemoryPool: Sendable {
  /// Pieces kept at most. Estimates under way at once each need one; the rest wait here.
  private static let largestCount = max(2, availableProcessors)
  private let idle = Mutex<[Program.Memory]>([])

  func withMemory<Result>(
    for plan: MemoryPlan, _ run: (Program.Memory) throws -> Result
  ) rethrows -> Result {
    let fitting = idle.withLock { idle in
      idle.firstIndex { $0.fits(plan) }.map { idle.remove(at: $0) }
    }
    let memory = fitting ?? Program.Memory(plan)
    defer {
      idle.withLock { idle in
        idle.append(memory)
        if idle.count > Self.largestCount { idle.removeFirst() }
      }
    }
    return try run(memory)
  }
}
