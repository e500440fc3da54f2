import DepthErrors
import DepthImages
import Synchronization
import Testing

@testable import FrameStreams

/// Order, read-ahead and failures of frames on several workers.
@Suite struct FrameWorkersTests {
  struct Broken: Error, Equatable { let frame: Int }

  /// Runs `count` frames, of which later frames are faster, and returns the delivered frames.
  private func delivered(
    count: Int, workers: Int, failing: Int? = nil, stage: Int = 0
  ) -> (values: [Int], failure: (any Error)?, most: Int) {
    let next = Mutex(0)
    let out = Mutex<[Int]>([])
    let sum = Mutex(0)
    let seen = Mutex<[[Int]]>([[], []])
    let under = Mutex((now: 0, most: 0))
    @Sendable func check(_ value: Int, _ here: Int) throws {
      if value == failing, stage == here { throw Broken(frame: value) }
    }
    let work = FrameWorkers<Int, Int>(
      next: {
        let value = next.withLock { value in
          defer { value += 1 }
          return value
        }
        under.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
        return value < count ? value : nil
      },
      work: { value, steps in
        try check(value, 0)
        // Later frames are faster.
        var turns = 0
        for _ in 0..<(count - value) * 20_000 { turns &+= 1 }
        sum.withLock { $0 &+= turns }
        for step in 0..<2 {
          try steps.run(step) {
            try check(value, step + 1)
            seen.withLock { $0[step].append(value) }
          }
        }
        #expect(steps.index == value)
        return value
      },
      deliver: { value in
        try check(value, 3)
        under.withLock { $0.now -= 1 }
        out.withLock { $0.append(value) }
      })
    var failure: (any Error)?
    do { try work.run(threads: workers) } catch { failure = error }
    for step in seen.withLock({ $0 }) { #expect(step == Array(0..<step.count)) }
    return (out.withLock { $0 }, failure, under.withLock { $0.most })
  }

  @Test("frames are delivered in order", arguments: [1, 2, 3, 8])
  func framesComeInOrder(workers: Int) {
    let result = delivered(count: 40, workers: workers)
    #expect(result.values == Array(0..<40))
    #expect(result.failure == nil)
    // Each worker has at most one frame. The end of the stream counts as one frame more.
    #expect(result.most <= workers + 1)
  }

  @Test("only frames before a failure are delivered", arguments: [1, 3], 0..<4)
  func framesBeforeAFailureCome(workers: Int, stage: Int) {
    let result = delivered(count: 20, workers: workers, failing: 7, stage: stage)
    #expect(result.values == Array(0..<7))
    #expect(result.failure as? Broken == Broken(frame: 7))
  }

  @Test("frames before a source's failure are delivered", arguments: [1, 4])
  func aSourceThatFailsEndsAfterItsFrames(workers: Int) {
    let count = Mutex(0)
    let out = Mutex<[Int]>([])
    let work = FrameWorkers<Int, Int>(
      next: {
        let value = count.withLock { value in
          defer { value += 1 }
          return value
        }
        guard value < 5 else { throw Broken(frame: value) }
        return value
      }, work: { value, steps in try steps.run(0) { value } },
      deliver: { value in out.withLock { $0.append(value) } })
    #expect(throws: Broken(frame: 5)) { try work.run(threads: workers) }
    #expect(out.withLock { $0 } == Array(0..<5))
  }

  @Test("percentiles of ages are nearest ranks") func agesAreNearestRanks() {
    let start = ContinuousClock().now
    var meter = StreamMeter(start: start)
    for age in 1...100 { meter.count(arrival: start, now: start + .milliseconds(age)) }
    #expect(meter.age(share: 0.5) == 50 && meter.age(share: 0.95) == 95)
    #expect(
      meter.summary(dropped: 3, now: start + .seconds(4))
        == "100 frames in 4.0 s, 25.0 per second, 3 dropped, age p50 50.0 ms, p95 95.0 ms")
    // With so few frames, the 95th percentile of their ages is the maximum.
    var few = StreamMeter(start: start)
    for age in 1...3 { few.count(arrival: start, now: start + .milliseconds(age)) }
    #expect(few.age(share: 0.5) == 2 && few.age(share: 0.95) == 3)
  }
}
