import DepthBase
import Foundation
import Testing
import _TestSupport

@testable import DepthCommands

/// The order of waiting requests.
@Suite struct RequestQueueTests {
  /// Waits until `count` threads wait.
  private func come(_ count: Int, to queue: RequestQueue) throws {
    try #require(
      waitUntil { queue.waitingCount == count },
      "\(queue.waitingCount) threads wait, expected \(count)")
  }

  @Test("waiting requests are served in order") func whoComesFirstIsServedFirst() throws {
    let queue = RequestQueue(1)
    let (served, end) = (Monitor<[Int]>([]), Monitor(false))
    let group = DispatchGroup()
    func start(_ number: Int, _ cancellation: Cancellation = Cancellation()) {
      group.enter()
      Thread {
        try? queue.run(cancellation: cancellation) {
          served.update { $0.append(number) }
          if number == 0 { _ = end.wait(upTo: .seconds(600)) { $0 ? true : nil } }
        }
        group.leave()
      }.start()
    }
    start(0)
    try #require(waitUntil { !served.read(\.isEmpty) }, "the first request never began")
    let leaving = Cancellation()
    for number in 1...12 {
      start(number, number == 1 ? leaving : Cancellation())
      try come(number, to: queue)
    }
    // The next request leaves, and delays no other.
    leaving.cancel()
    try come(11, to: queue)
    end.update { $0 = true }
    try waitForAll(of: group, "the requests behind one that has left")
    #expect(served.read(\.self) == [0] + Array(2...12))
  }

  @Test("a turn is free again after a failure") func aTurnThatFailsIsFreeAgain() {
    struct Failure: Error {}
    let queue = RequestQueue(2)
    for _ in 0..<5 {
      #expect(throws: Failure.self) {
        try queue.run(cancellation: Cancellation()) { throw Failure() }
      }
    }
    #expect(throws: Never.self) { try queue.run(cancellation: Cancellation()) {} }
  }
}
