import CDepthBase
import Foundation
import Synchronization
import Testing
import _TestSupport

@testable import DepthBase

/// Teams whose helpers come late, or never.
@Suite struct HelperThreadsTests {
  /// Sums of squares by a team; `nil` if an index ran twice or on an unknown worker.
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

  /// This happens under `ulimit -u 1`.
  @Test("if no helper can start, the caller does all the work", arguments: [1, 2, 8])
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

  @Test("a late helper finds nothing to do") func aHelperThatComesTooLateFindsNothingToDo() {
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

  @Test("later teams reuse the helper threads") func threadsAreUsedAgain() {
    let started = Atomic<Int>(0)
    let counted = HelperThreads { job in
      started.add(1, ordering: .relaxed)
      return OwnThread.start(job)
    }
    for _ in 0..<200 { #expect(squares(threads: 4, helpers: counted, loops: 50) == expected) }
    #expect((1...max(3, availableProcessors)).contains(started.load(ordering: .relaxed)))
  }

  @Test("sleeping helpers wake up for the next loop", arguments: [2, 4])
  func helpersSleepAndWakeUp(threads: Int) {
    // The team has its own threads, since other tests may hold all threads of the process.
    let helpers = HelperThreads(start: OwnThread.start)
    ThreadTeam.run(threads: threads, helpers: helpers) { team in
      for _ in 0..<3 {
        let workers = Mutex<Set<Int>>([])
        // Each worker waits until every worker has joined.
        team.forEach(threads) { worker, _ in
          workers.withLock { _ = $0.insert(worker) }
          waitUntil { workers.withLock { $0.count } == threads }
        }
        #expect(workers.withLock { $0.count } == threads)
        #expect(waitUntil { team.sleepingHelpers == threads - 1 })
      }
    }
  }

  @Test("every loop is run while helpers fall asleep") func noLoopIsLostBesideSleep() {
    ThreadTeam.run(threads: 3) { team in
      for loop in 0..<200 {
        // Pauses around the time after which helpers sleep.
        for _ in 0..<loop % 40 * 100 { sched_yield() }
        let sum = Atomic<Int>(0)
        team.forEach(7) { _, index in sum.add(index, ordering: .relaxed) }
        let total = sum.load(ordering: .relaxed)
        #expect(total == 21)
      }
    }
  }

  /// A child of `fork` counts one fork more and has none of its parent's threads.
  @Test("a child of fork has helper threads of its own") func aChildOfForkHasHelpersOfItsOwn() {
    let parent = HelperThreads.shared
    #expect(HelperThreads.shared === parent)
    let forks = ck_forks()
    let child = HelperThreads.shared(afterForks: forks + 1)
    #expect(child !== parent && HelperThreads.shared(afterForks: forks + 1) === child)
    #expect(squares(threads: 3, helpers: child) == expected)
  }
}
