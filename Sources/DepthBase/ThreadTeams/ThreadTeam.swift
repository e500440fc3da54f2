import CDepthBase
import Synchronization
import SystemEssentials

/// Threads that run many short parallel loops in succession without sleeping in between.
///
/// A network consists of about a hundred parallel loops of a few microseconds to a millisecond each. Waking threads for each
/// loop would take as long as the shortest loops. Therefore the caller opens a team once, and the helpers spin until the
/// next loop. Helpers sleep after about a millisecond without a loop. The caller also works, and never waits for a helper
/// that has not begun. Without a second thread, the caller runs all loops alone.
///
/// Exactly one thread works on each index. A body that writes only data of its index therefore gives the same bits with any
/// number of threads.
///
/// The caller and every second helper take indices from the beginning; the other helpers take indices from the end. In
/// successive loops over the rows of maps, a thread then finds most of its rows in its cache.
package final class ThreadTeam: Sendable {
  /// Maximum number of workers, including the caller.
  package let threads: Int

  /// The current loop in one word: the loop's number (24 bits), and the end (20 bits) and the start (20 bits) of the free
  /// indices. A single compare-and-exchange claims an index of exactly this loop.
  private let ticket = Atomic<UInt64>(0)
  private let completed = Atomic<Int>(0)
  private let closed = Atomic<Bool>(false)
  /// Whether a loop is in progress.
  private let isLooping = Atomic<Bool>(false)
  /// Number of helpers that have joined.
  private let helpers = Atomic<Int>(0)
  /// Number of helpers that sleep or will sleep soon. After counting itself here, a helper checks for a loop once more.
  private let sleepers = Atomic<Int>(0)
  /// The condition for sleeping helpers; most teams never need it.
  private let bed = AtomicLazyReference<Condition>()
  /// The current loop's body, which the caller writes before publishing the loop. Helpers read the body only after claiming
  /// an index. The body does not change before all indices are completed.
  nonisolated(unsafe) private var body: (@Sendable (_ worker: Int, _ index: Int) -> Void)?

  private static let largestCount = (1 << 20) - 1

  private init(threads: Int) {
    self.threads = threads
  }

  /// Runs `work` with a team of up to `threads` workers.
  ///
  /// - Throws: Any error of `work`.
  ///
  /// - Precondition: `threads` is positive.
  package static func run<Result>(
    threads: Int, helpers: HelperThreads = .shared, _ work: (ThreadTeam) throws -> Result
  ) rethrows -> Result {
    precondition(threads > 0, "\(threads) threads, expected at least 1")
    let team = ThreadTeam(threads: threads)
    helpers.ask(threads - 1) { team.help() }
    defer {
      team.closed.store(true, ordering: .sequentiallyConsistent)
      team.wakeSleepers()
    }
    return try work(team)
  }

  /// Calls `body` once for each index in `0 ..< count`, in parallel, and returns after the last call.
  ///
  /// - Parameter body: Receives the number of the worker, `0 ..< threads`, and the index.
  /// - Precondition: No loop of this team is in progress. `body` may open another team but not use this team.
  package func forEach(
    _ count: Int, _ body: @Sendable (_ worker: Int, _ index: Int) -> Void
  ) {
    precondition(
      !isLooping.exchange(true, ordering: .acquiring), "a loop of a team inside another one of it")
    defer { isLooping.store(false, ordering: .releasing) }
    runLoop(count, body)
  }

  private func runLoop(_ count: Int, _ body: @Sendable (_ worker: Int, _ index: Int) -> Void) {
    guard threads > 1, count > 1 else {
      for index in 0..<max(count, 0) { body(0, index) }
      return
    }
    guard count <= Self.largestCount else {
      // A ticket counts up to 2²⁰ − 1; larger loops are split.
      for start in stride(from: 0, to: count, by: Self.largestCount) {
        runLoop(min(Self.largestCount, count - start)) { body($0, start + $1) }
      }
      return
    }
    withoutActuallyEscaping(body) { body in
      unsafe self.body = body
      completed.store(0, ordering: .relaxed)
      let loop = (ticket.load(ordering: .relaxed) >> 40) &+ 1
      ticket.store(loop << 40 | UInt64(count) << 20, ordering: .sequentiallyConsistent)
      wakeSleepers()
      while claimAndRun(as: 0) {}
      var waits = 0
      while completed.load(ordering: .acquiring) < count { Self.wait(&waits) }
      unsafe self.body = nil
    }
  }

  /// Processes a free index of the current loop; returns `false` if none is left.
  private func claimAndRun(as worker: Int) -> Bool {
    let isFromEnd = !worker.isMultiple(of: 2)
    var current = ticket.load(ordering: .acquiring)
    while true {
      let free = Self.freeIndices(current)
      guard !free.isEmpty else { return false }
      let (claimed, seen) = ticket.weakCompareExchange(
        expected: current, desired: isFromEnd ? current - 1 << 20 : current + 1,
        ordering: .acquiringAndReleasing)
      if claimed {
        callBody(worker, isFromEnd ? free.upperBound - 1 : free.lowerBound)
        break
      }
      current = seen
    }
    completed.add(1, ordering: .releasing)
    return true
  }

  /// Retains the body only while it runs, because nothing may reference the body after its index is completed.
  @inline(never)
  private func callBody(_ worker: Int, _ index: Int) { unsafe body?(worker, index) }

  private func help() {
    let worker = helpers.add(1, ordering: .relaxed).newValue
    var waits = 0
    while !closed.load(ordering: .acquiring) {
      if claimAndRun(as: worker) {
        waits = 0
      } else if waits < Self.waitsBeforeSleep {
        Self.wait(&waits)
      } else {
        sleep()
        waits = 0
      }
    }
  }

  /// Sleeps until there is a loop, or until the team is closed.
  private func sleep() {
    let bed = self.bed.storeIfNil(Condition())
    bed.locked {
      // Sequential consistency ensures that this helper reads a loop published now, or that the publisher reads this
      // helper's count.
      sleepers.add(1, ordering: .sequentiallyConsistent)
      while isIdle { bed.wait() }
      sleepers.subtract(1, ordering: .sequentiallyConsistent)
    }
  }

  private func wakeSleepers() {
    guard sleepers.load(ordering: .sequentiallyConsistent) > 0 else { return }
    bed.load()?.locked { bed.load()?.wakeAll() }
  }

  /// Whether the team is open and its loop has no free index.
  private var isIdle: Bool {
    Self.freeIndices(ticket.load(ordering: .sequentiallyConsistent)).isEmpty
      && !closed.load(ordering: .sequentiallyConsistent)
  }

  /// The unclaimed indices. The end never falls below the beginning, because a claim requires a free index.
  private static func freeIndices(_ ticket: UInt64) -> Range<Int> {
    let (end, first) = (
      Int(truncatingIfNeeded: ticket >> 20) & largestCount,
      Int(truncatingIfNeeded: ticket) & largestCount
    )
    return first..<end
  }

  /// Number of sleeping helpers, for tests.
  var sleepingHelpers: Int { sleepers.load(ordering: .relaxed) }

  /// Pauses before a waiting thread yields its processor, some tens of microseconds.
  private static let pauses = 2000
  /// Pauses and yields before a helper sleeps, about a millisecond on an idle processor.
  private static let waitsBeforeSleep = 4000

  /// Spins for tens of microseconds, then yields the processor.
  private static func wait(_ waits: inout Int) {
    waits += 1
    if waits < pauses { ck_pause() } else { sched_yield() }
  }
}
