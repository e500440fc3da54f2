import Synchronization
import Testing

@testable import ProcessLimits
@testable import ThreadTeams

/// Teams whose helpers come late, or never.
@Suite struct HelperThreadsTests {
  /// Sums of squares by a team; `nil` when an index ran twice or by a worker that is not there.
  private func squares(threads: Int, helpers: HelperThreads, loops: Int = 50) -> [Int]? {
    ThreadTeam.run(threads: threads, helpers: helpers) { team in
      (0..<loops).map { loop in
        let sum = Atomic<Int>(0)
        team.forEach(loop) { worker, index in
          sum.add((0..<threads).contains(worker) ? index * index : -1_000_000, ordering: .relaxed)
        }
        return sum.load(ordering: .relaxed)
      }
    }
  }

  private let expected = (0..<50).map { (0..<$0).reduce(0) { $0 + $1 * $1 } }

  /// As under `ulimit -u 1`: the caller does everything, and nothing waits.
  @Test(arguments: [1, 2, 8])
  func withoutAnyThreadTheCallerDoesTheWork(threads: Int) {
    let tries = Atomic<Int>(0)
    let none = HelperThreads { _ in
      tries.add(1, ordering: .relaxed)
      return false
    }
    #expect(squares(threads: threads, helpers: none) == expected)
    #expect(tries.load(ordering: .relaxed) == (threads > 1 ? 1 : 0))
    ThreadTeam.run(threads: threads, helpers: none) { team in
      team.forEach(100) { worker, _ in #expect(worker == 0) }
    }
  }

  @Test func aHelperThatComesTooLateFindsNothingToDo() {
    let late = Mutex<[HelperThreads.Job]>([])
    let pool = HelperThreads { job in
      late.withLock { $0.append(job) }
      return true
    }
    ThreadTeam.run(threads: 3, helpers: pool) { team in
      team.forEach(10) { worker, _ in #expect(worker == 0) }
    }
    #expect(late.withLock { $0.count } > 0)
  }

  @Test func threadsAreUsedAgain() {
    let started = Atomic<Int>(0)
    let counted = HelperThreads { job in
      started.add(1, ordering: .relaxed)
      return HelperThreads.startThread(job)
    }
    for _ in 0..<200 { #expect(squares(threads: 4, helpers: counted, loops: 50) == expected) }
    #expect((1...max(3, availableProcessors)).contains(started.load(ordering: .relaxed)))
  }
}
