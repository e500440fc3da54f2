import Foundation
import Synchronization
import Testing

@testable import DepthBase

/// Blocking calls of tasks, run outside Swift's own threads.
@Suite struct CallQueueTests {
  /// A gate that blocks threads until opened.
  private final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    func open(_ times: Int = 1) { for _ in 0..<times { semaphore.signal() } }
    func pass() {
      #expect(semaphore.wait(timeout: .now() + .seconds(600)) == .success, "the gate stayed closed")
    }
  }

  /// The names of calls in the order in which they began.
  private final class Order: Sendable {
    let names = Mutex("")
    func append(_ name: String) { names.withLock { $0 += name } }
  }

  @Test("a queue runs at most one call for each worker", arguments: [1, 2, 3])
  func noMoreCallsThanWorkersRunAtOnceAndAllAreDone(workers: Int) async throws {
    let queue = CallQueue(workers: workers)
    let (running, most) = (Counter(), Counter())
    let results = try await withThrowingTaskGroup(of: Int.self) { group in
      for index in 0..<200 {
        group.addTask {
          try await queue.run(threads: 1) { _ in
            most.raise(to: running.add(1))
            defer { _ = running.add(-1) }
            return index
          }
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(results == 199 * 200 / 2)
    #expect((1...workers).contains(most.value))
  }

  /// A call that holds a thread of the queue until its gate is opened.
  private func occupying(_ queue: CallQueue) async -> (call: Task<Void, any Error>, gate: Gate) {
    let (started, gate) = (AsyncStream.makeStream(of: Void.self), Gate())
    let call = Task {
      try await queue.run(threads: 1) { _ in
        started.continuation.yield()
        gate.pass()
      }
    }
    for await _ in started.stream { break }
    return (call, gate)
  }

  @Test("a call that is cancelled while waiting never runs")
  func aWaitingCallEndsAtOnceWhenCancelled() async throws {
    let queue = CallQueue(workers: 1)
    let (first, gate) = await occupying(queue)
    let runs = Counter()
    let second = Task { try await queue.run(threads: 1) { _ in runs.add(1) } }
    second.cancel()
    // The only thread is still busy, so a call that waited for the thread would hang.
    await #expect(throws: CancellationError.self) { try await second.value }
    gate.open()
    try await first.value
    #expect(runs.value == 0)
  }

  @Test("short calls begin before long calls") func shortCallsBeginBeforeOthers() async throws {
    let queue = CallQueue(workers: 1)
    let (first, gate) = await occupying(queue)
    let order = Order()
    func waiting(_ count: Int) async {
      while queue.waitingCount != count { await Task.yield() }
    }
    var calls: [Task<Void, any Error>] = []
    for (name, isShort) in [("a", false), ("B", true), ("c", false), ("D", true), ("E", true)] {
      calls.append(
        Task {
          try await queue.run(threads: 1, isShort: isShort) { _ in order.append(name) }
        })
      await waiting(calls.count)
    }
    calls[3].cancel()
    await waiting(calls.count - 1)
    gate.open()
    for (index, call) in calls.enumerated() where index != 3 { try await call.value }
    try await first.value
    #expect(order.names.withLock(\.self) == "BEac")
  }

  @Test("a cancelled call ends and frees its thread")
  func aRunningCallSeesThatItIsCancelled() async throws {
    let queue = CallQueue(workers: 1)
    let started = AsyncStream.makeStream(of: Void.self)
    let task = Task {
      try await queue.run(threads: 1) { call in
        started.continuation.yield()
        while true {
          try call.checkpoint(0.5)
          // This test may wait long for a processor.
          usleep(1000)
        }
      }
    }
    for await _ in started.stream { break }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    // The thread is free again.
    #expect(try await queue.run(threads: 1) { _ in 7 } == 7)
  }

  @Test("if no thread can start, the caller runs the call")
  func withoutAnyThreadTheCallerRunsTheCall() async throws {
    let queue = CallQueue(workers: 2) { _ in false }
    for index in 0..<20 { #expect(try await queue.run(threads: 2) { _ in index } == index) }
  }

  @Test("an error thrown by a call reaches its caller") func aThrownErrorArrives() async throws {
    struct Failure: Error {}
    await #expect(throws: Failure.self) {
      try await CallQueue(workers: 1).run(threads: 1) { _ in throw Failure() }
    }
  }

  @Test("progress of steps covers the whole call") func progressOfStepsCoversTheWholeCall() throws {
    let seen = Mutex<[Double]>([])
    let call = CallContext(threads: 1, progress: { share in seen.withLock { $0.append(share) } })
    for step in 0..<2 {
      for share in [0, 0.5, 1] { try call.step(step, of: 2).checkpoint(share) }
    }
    #expect(seen.withLock { $0 } == [0, 0.25, 0.5, 0.5, 0.75, 1])
  }

  @Test(
    "simultaneous calls divide the threads",
    arguments: [(8, 1, 8), (8, 2, 4), (8, 3, 2), (2, 4, 1), (1, 1, 1), (4, 0, 4)])
  func callsDivideTheThreads(threads: Int, calls: Int, expected: Int) {
    #expect(ThreadShare.part(of: threads, calls: calls) == expected)
  }

  private final class Counter: Sendable {
    private let count = Atomic(0)
    var value: Int { count.load(ordering: .relaxed) }
    func add(_ value: Int) -> Int { count.add(value, ordering: .relaxed).newValue }
    func raise(to value: Int) { count.max(value, ordering: .relaxed) }
  }
}
