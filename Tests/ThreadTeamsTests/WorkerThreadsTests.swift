import Synchronization
import Testing

@testable import ThreadTeams

@Suite struct WorkerThreadsTests {
  @Test(arguments: [1, 2, 5])
  func allWorkersRunAtOnceAndEnd(count: Int) {
    let started = Monitor(0)
    let ended = Mutex(0)
    WorkerThreads.run(count, every: 1, tick: {}) {
      started.update { $0 += 1 }
      // Ends only when all have begun.
      started.wait { $0 == count ? true : nil }
      ended.withLock { $0 += 1 }
    }
    #expect(ended.withLock { $0 } == count)
  }

  @Test func theCallerTicksMeanwhile() {
    let ticks = Monitor(0)
    WorkerThreads.run(1, every: 1, tick: { ticks.update { $0 += 1 } }) {
      ticks.wait { $0 >= 3 ? true : nil }
    }
    #expect(ticks.update { $0 } >= 3)
  }

  @Test func aMonitorGivesUpInTime() {
    let monitor = Monitor(0)
    #expect(!monitor.wait(milliseconds: 1) { $0 == 1 })
    monitor.update { $0 = 1 }
    #expect(monitor.wait(milliseconds: 60_000) { $0 == 1 })
  }

  @Test func refusedThreadsAreCounted() {
    let none = HelperThreads { _ in false }
    #expect(none.ask(3, toRun: {}) == 0)
  }
}
