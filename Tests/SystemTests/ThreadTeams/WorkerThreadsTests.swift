import Foundation
import Synchronization
import Testing

@testable import DepthBase

@Suite struct WorkerThreadsTests {
  /// Other tests may hold the threads, so one worker may do everything.
  @Test("all work is done when the call returns", arguments: [1, 2, 5])
  func allWorkIsDoneWhenTheCallReturns(count: Int) {
    let next = Mutex(0)
    let done = Mutex(0)
    let ticks = Monitor(0)
    func tick() { ticks.update { $0 += 1 } }
    let caller = ObjectIdentifier(Thread.current)
    WorkerThreads.run(count, every: 1, tick: tick) {
      // The caller ticks while workers are busy, or works itself if no thread could start.
      if ObjectIdentifier(Thread.current) != caller { ticks.wait { $0 > 0 ? () : nil } }
      func takesOne() -> Bool {
        next.withLock { next in
          next += 1
          return next <= 100
        }
      }
      while takesOne() { done.withLock { $0 += 1 } }
    }
    #expect(done.withLock { $0 } == 100)
  }

  @Test("a monitor stops waiting when its time is over") func aMonitorGivesUpInTime() {
    let monitor = Monitor(0)
    #expect(monitor.wait(upTo: .milliseconds(1)) { $0 == 1 ? $0 : nil } == nil)
    monitor.update { $0 = 1 }
    #expect(monitor.wait(upTo: .seconds(60)) { $0 == 1 ? $0 : nil } == 1)
  }

  @Test("threads that cannot start are not counted") func threadsThatCannotStartAreNotCounted() {
    let none = HelperThreads { _ in false }
    #expect(none.ask(3, toRun: {}) == 0)
  }
}
