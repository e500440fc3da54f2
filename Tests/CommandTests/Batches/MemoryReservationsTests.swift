import DepthBase
import DepthErrors
import Foundation
import Synchronization
import Testing
import _TestSupport

@testable import DepthCommands

/// Memory for several photos at once.
@Suite struct MemoryReservationsTests {
  @Test("photos wait for free memory") func photosWaitForMemory() throws {
    let reservations = MemoryReservations()
    let budget = MemoryBudget.current.bytes
    let need = MemoryNeed(bytes: budget / 3 * 2)
    #expect(try reservations.reserve(need, for: "first") == 1)
    let order = Mutex<[String]>([])
    let thread = Thread {
      _ = try? reservations.reserve(need, for: "second")
      order.withLock { $0.append("second") }
    }
    thread.start()
    usleep(50_000)
    order.withLock { $0.append("first ends") }
    reservations.release(need)
    try #require(
      waitUntil { order.withLock { $0.count } == 2 }, "the second photo never got its memory")
    #expect(order.withLock { $0 } == ["first ends", "second"])
    reservations.release(need)
    // A need above all memory fails if no other photo holds memory.
    #expect(throws: DepthError.self) {
      _ = try reservations.reserve(MemoryNeed(bytes: 1 << 60), for: "huge")
    }
    #expect(try reservations.reserve(MemoryNeed(bytes: 1000), for: "small") > 1)
  }

  @Test("a cancelled photo stops waiting for memory") func aCancelledPhotoLeavesTheLine() throws {
    let reservations = MemoryReservations()
    let need = MemoryNeed(bytes: MemoryBudget.current.bytes / 3 * 2)
    #expect(try reservations.reserve(need, for: "first") == 1)
    let cancellation = Cancellation()
    let outcome = Mutex<Result<Int, any Error>?>(nil)
    let thread = Thread {
      let result = Result {
        try reservations.reserve(need, for: "second", cancellation: cancellation)
      }
      outcome.withLock { $0 = result }
    }
    thread.start()
    usleep(50_000)
    #expect(outcome.withLock { $0 == nil })
    cancellation.cancel()
    try #require(
      waitUntil { outcome.withLock { $0 != nil } }, "the cancelled photo still waits for memory")
    #expect(throws: CancellationError.self) { try outcome.withLock { $0 }?.get() }
    reservations.release(need)
    #expect(try reservations.reserve(need, for: "third") == 1)
  }
}
