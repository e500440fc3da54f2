import DepthBase
import DepthErrors

/// Runs every frame of a stream on one of several threads, in order where order matters.
///
/// Each thread takes a frame, works on it to the end and takes the next one. At most as many frames are in progress as there
/// are threads, so that a slow consumer holds up the source. Frames are worked on beside each other, except
/// in the steps that ``OrderedSteps/run(_:_:)`` names and in `deliver`, which see them in their order, one at a
/// time, so that results do not depend on the number of threads.
package struct FrameWorkers<Input: Sendable, Output: Sendable>: Sendable {
  /// Takes the next frame; `nil` at the end. Never called by two threads at once.
  package var next: @Sendable () throws -> Input?
  package var work: @Sendable (Input, OrderedSteps) throws -> Output
  /// Takes the results, in the order of the frames.
  package var deliver: @Sendable (Output) throws -> Void

  package init(
    next: @escaping @Sendable () throws -> Input?,
    work: @escaping @Sendable (Input, OrderedSteps) throws -> Output,
    deliver: @escaping @Sendable (Output) throws -> Void
  ) {
    (self.next, self.work, self.deliver) = (next, work, deliver)
  }

  /// Works until the stream ends.
  ///
  /// - Throws: The error of the first frame that failed, after all frames before it have been delivered.
  package func run(threads: Int) throws {
    let state = Monitor(WorkersState())
    parallelFor(threads, threads: threads) { workers in
      for _ in workers { while takeFrame(state) {} }
    }
    if let failure = state.read({ $0.failure }) { throw failure }
  }

  /// Takes one frame to its end; `false` where no more follows.
  private func takeFrame(_ state: Monitor<WorkersState>) -> Bool {
    let index = state.wait { state -> Int?? in
      if state.hasEnded || state.failure != nil { return .some(nil) }
      guard !state.isReading else { return nil }
      state.isReading = true
      return state.taken
    }
    guard let index else { return false }
    let input = Result { try next() }
    let isEnd = if case .success(nil) = input { true } else { false }
    state.update { state in
      state.isReading = false
      if isEnd { state.hasEnded = true } else { state.taken += 1 }
      // Nothing sensible follows what could not be read.
      if case .failure = input { state.hasEnded = true }
    }
    guard !isEnd else { return false }
    let steps = OrderedSteps(index: index, state: state)
    let output = input.flatMap { input in Result { try work(input!, steps) } }
    guard steps.wait(for: { $0.delivered }) else { return false }
    do { try deliver(output.get()) } catch {
      state.update { $0.failure = error }
      return false
    }
    state.update { $0.delivered += 1 }
    return true
  }
}

/// State that the threads share.
struct WorkersState: Sendable {
  var isReading = false
  var (taken, delivered) = (0, 0)
  /// Frames that have done each ordered step.
  var done: [Int] = []
  var hasEnded = false
  var failure: (any Error)?
}

/// The steps of one frame that run in the order of frames.
package struct OrderedSteps: Sendable {
  /// Number of the frame among those that were taken.
  package let index: Int
  fileprivate let state: Monitor<WorkersState>

  /// Runs a step once all earlier frames have run it.
  ///
  /// - Parameter step: 0 for the first such step of the work, then 1, and so on; every frame does all of them.
  /// - Throws: What `body` throws, and ``EarlierFrameFailed`` where a frame before this one has failed.
  package func run<Result>(_ step: Int, _ body: () throws -> Result) throws -> Result {
    let comes = wait { step < $0.done.count ? $0.done[step] : 0 }
    guard comes else { throw EarlierFrameFailed() }
    // A frame that fails here leaves the step undone, and its failure ends the frames that wait for it.
    let result = try body()
    state.update { state in
      while state.done.count <= step { state.done.append(0) }
      state.done[step] = index + 1
    }
    return result
  }

  /// Returns `false` where a frame before this one has failed.
  fileprivate func wait(for next: (WorkersState) -> Int) -> Bool {
    state.wait { state in
      if state.failure != nil { return false }
      return next(state) == index ? true : nil
    }
  }
}

/// A frame before this one has failed.
package struct EarlierFrameFailed: Error {}

/// Counts frames, and how old each was when its depth was written.
package struct StreamMeter: Sendable {
  /// Ages are kept of so many frames at most, the newest.
  private static let kept = 4096

  private let start: ContinuousClock.Instant
  private var ages: [Double] = []
  package private(set) var frames = 0
  /// Frames that did not decode.
  package private(set) var damaged = 0

  package init(start: ContinuousClock.Instant) { self.start = start }

  /// - Parameters:
  ///   - arrival: When the frame's last byte was read.
  ///   - now: When its depth was written.
  package mutating func count(arrival: ContinuousClock.Instant, now: ContinuousClock.Instant) {
    let age = (now - arrival) / .milliseconds(1)
    if ages.count < Self.kept { ages.append(age) } else { ages[frames % Self.kept] = age }
    frames += 1
  }

  /// Counts a frame that did not decode.
  package mutating func countDamaged() { damaged += 1 }

  /// The age that a share of the frames did not exceed, milliseconds; `nil` before the first frame.
  package func age(share: Double) -> Double? {
    guard !ages.isEmpty else { return nil }
    // Nearest rank.
    let rank = Int((share * Double(ages.count)).rounded(.up))
    return ages.sorted()[max(rank, 1) - 1]
  }

  /// One line for people: `300 frames in 12.0 s, 25.0 per second, 0 dropped, age p50 52 ms, p95 70 ms`.
  ///
  /// - Parameter damaged: Frames that the reader stepped over.
  package func summary(
    dropped: Int, damaged: Int = 0, now: ContinuousClock.Instant
  ) -> String {
    var text = "\(Self.speed(frames: frames, time: now - start)), \(dropped) dropped"
    let damaged = damaged + self.damaged
    if damaged > 0 { text += ", \(damaged) damaged" }
    if let middle = age(share: 0.5), let high = age(share: 0.95) {
      text += ", age p50 \(middle.rounded(toDigits: 1)) ms, p95 \(high.rounded(toDigits: 1)) ms"
    }
    return text
  }

  /// `300 frames in 12.0 s, 25.0 per second`.
  package static func speed(frames: Int, time: Duration) -> String {
    let seconds = time / .seconds(1)
    let rate = seconds > 0 ? Double(frames) / seconds : 0
    return "\(frames) frame\(frames == 1 ? "" : "s") in \(seconds.rounded(toDigits: 1)) s, "
      + "\(rate.rounded(toDigits: 1)) per second"
  }
}
