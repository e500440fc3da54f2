import Testing

@testable import DepthCommands

/// The times of events.
@Suite struct StreamTimeTests {
  /// A frame after a stall must have a later time than the stall's event.
  @Test("a stall does not turn time back") func aStallDoesNotTurnTimeBack() {
    let start = ContinuousClock.now
    var time = StreamTime(rate: 10, start: start)
    time.take(frame: 1, arrival: start)
    #expect(time.now == 0.1)
    time.wait(2)
    time.wait(2)
    let blind = time.now
    #expect(abs(blind - 4.1) < 1e-9)
    time.take(frame: 2, arrival: start)
    #expect(time.now > blind && abs(time.now - 4.2) < 1e-9)
    time.take(frame: 12, arrival: start)
    #expect(abs(time.now - 5.2) < 1e-9)
  }

  @Test("times by arrival include the stall") func timesOfArrivalHoldTheStall() {
    let start = ContinuousClock.now
    var time = StreamTime(rate: nil, start: start)
    time.take(frame: 0, arrival: start + .seconds(1))
    time.wait(2)
    #expect(time.now == 3)
    time.take(frame: 40, arrival: start + .seconds(4))
    #expect(time.now == 4)
    // This frame arrived while the preceding frame was processed.
    time.take(frame: 41, arrival: start + .seconds(3))
    #expect(time.now == 4)
  }
}
