import DepthBase
import Foundation
import Testing

@testable import DepthCommands

/// Turns of waiting requests.
@Suite struct TurnsTests {
  /// Waits until so many threads have come.
  private func come(_ count: Int, to turns: Turns) {
    for _ in 0..<60_000 where turns.waitingCount != count { usleep(1000) }
    #expect(turns.waitingCount == count)
  }

  @Test func whoComesFirstIsServedFirst() throws {
    let turns = Turns(1)
    let (served, end) = (Monitor<[Int]>([]), Monitor(false))
    let group = DispatchGroup()
    func start(_ number: Int, _ cancellation: Cancellation = Cancellation()) {
      group.enter()
      Thread {
        try? turns.run(cancellation: cancellation) {
          served.update { $0.append(number) }
          if number == 0 { _ = end.wait(upTo: .seconds(600)) { $0 ? true : nil } }
        }
        group.leave()
      }.start()
    }
    start(0)
    for _ in 0..<60_000 where served.read(\.isEmpty) { usleep(1000) }
    let leaving = Cancellation()
    for number in 1...12 {
      start(number, number == 1 ? leaving : Cancellation())
      come(number, to: turns)
    }
    // The next one leaves, and holds nobody up.
    leaving.cancel()
    come(11, to: turns)
    end.update { $0 = true }
    group.wait()
    #expect(served.read(\.self) == [0] + Array(2...12))
  }

  @Test func aTurnThatFailsIsFreeAgain() {
    struct Failure: Error {}
    let turns = Turns(2)
    for _ in 0..<5 {
      #expect(throws: Failure.self) {
        try turns.run(cancellation: Cancellation()) { throw Failure() }
      }
    }
    #expect(throws: Never.self) { try turns.run(cancellation: Cancellation()) {} }
  }
}
