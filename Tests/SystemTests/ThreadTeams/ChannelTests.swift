import Synchronization
import Testing

@testable import DepthBase

/// Order, bounds and ends of channels.
@Suite struct ChannelTests {
  private struct Broken: Error {}

  /// A source of the numbers below `count`, which then ends or fails.
  private func source(_ count: Int, fails: Bool = false) -> @Sendable () throws -> Int? {
    let next = Mutex(0)
    return {
      try next.withLock { value in
        defer { value += 1 }
        if value == count, fails { throw Broken() }
        return value < count ? value : nil
      }
    }
  }

  @Test("a channel delivers its elements in order", arguments: [1, 3])
  func elementsComeInOrder(capacity: Int) throws {
    let channel = Channel<Int>(capacity: capacity)
    try channel.startFilling("numbers", from: source(100))
    var received: [Int] = []
    while let value = try channel.receive() { received.append(value) }
    #expect(received == Array(0..<100))
    #expect(try channel.receive() == nil && channel.dropped == 0)
  }

  @Test("a channel of the newest elements drops the oldest") func theNewestElementsStay() throws {
    let channel = Channel<Int>(capacity: 2, policy: .keepNewest)
    channel.fill(from: source(5))
    #expect(channel.dropped == 3)
    #expect(try channel.receive() == 3)
    #expect(try channel.receive() == 4)
    #expect(try channel.receive() == nil)
  }

  @Test("a sender waits while the channel is full") func aSenderWaitsForRoom() throws {
    let sent = Mutex(0)
    let channel = Channel<Int>(capacity: 2)
    let source = source(10)
    try channel.startFilling("numbers") {
      let value = try source()
      sent.withLock { $0 += 1 }
      return value
    }
    for taken in 1...8 {
      #expect(try channel.receive() == taken - 1)
      // Two elements are in the channel, and a third element is on its way.
      #expect(sent.withLock { $0 } <= taken + 3)
    }
  }

  @Test("a failure of the source follows the elements")
  func aFailureComesAfterTheElements() throws {
    let channel = Channel<Int>(capacity: 8)
    channel.fill(from: source(3, fails: true))
    for value in 0..<3 { #expect(try channel.receive() == value) }
    #expect(throws: Broken.self) { try channel.receive() }
    #expect(throws: Broken.self) { try channel.receive(upTo: .seconds(1000)) }
  }

  @Test("receiving from an empty channel times out") func anEmptyChannelTimesOut() throws {
    let channel = Channel<Int>()
    guard case .timeout = try channel.receive(upTo: .milliseconds(1)) else {
      Issue.record("no timeout")
      return
    }
    channel.send(7)
    guard case .element(7) = try channel.receive(upTo: .seconds(1000)) else {
      Issue.record("no element")
      return
    }
  }

  @Test("a closed channel takes no more elements") func aClosedChannelTakesNothing() throws {
    let channel = Channel<Int>(capacity: 2)
    #expect(channel.send(1))
    channel.close()
    #expect(!channel.send(2))
    #expect(try channel.receive() == 1)
    #expect(try channel.receive() == nil)
  }
}
