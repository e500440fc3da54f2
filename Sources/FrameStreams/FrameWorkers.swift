import DepthBase
import DepthErrors

/// Processes the frames of a stream on several threads. Steps whose results depend on earlier frames run in order.
///
/// Each thread takes a frame and processes it completely. At most one frame per thread is in progress, so a slow consumer
/// causes backpressure. Frames are processed concurrently, except that steps of ``OrderedSteps/run(_:_:)`` and `deliver`
/// run for one frame at a time, in order. Results therefore do not depend on the number of threads.
package struct FrameWorkers<Input: Sendable, Output: Sendable>: Sendable {
  /// Takes the next frame; `nil` at the end. Never called concurrently.
  package var next: @Sendable () throws -> Input?
  package var work: @Sendable (Input, OrderedSteps) throws -> Output
  /// Receives the results, in the order of the frames.
  package var deliver: @Sendable (Output) throws -> Void

  package init(
    next: @escaping @Sendable () throws -> Input?,
    work: @escaping @Sendable (Input, OrderedSteps) throws -> Output,
    deliver: @escaping @Sendable (Output) throws -> Void
  ) {
    (self.next, self.work, self.deliver) = (next, work, deliver)
  }

  /// Processes frames until the stream ends.
  ///
  /// - Throws: The error of the first failed frame, after all earlier frames have been delivered.
  package func run(threads: Int) throws {
    let state = Monitor(WorkersState())
    parallelFor(threads, threads: threads) { workers in
      for _ in workers { while takeFrame(state) {} }
    }
    if let failure = state.read({ $0.failure }) { throw failure }
  }

  /// Processes one frame; returns `false` if no more frames follow.
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
      // After a read error, the rest of the stream is unusable.
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

/// State shared by the threads.
struct WorkersState: Sendable {
  var isReading = false
  var (taken, delivered) = (0, 0)
  /// Number of frames that have completed each ordered step.
  var done: [Int] = []
  var hasEnded = false
  var failure: (any Error)?
}

/// The steps of one frame that run in the order of frames.
package struct OrderedSteps: Sendable {
  /// Number of the frame among the taken frames.
  package let index: Int
  fileprivate let state: Monitor<WorkersState>

  /// Runs a step once all earlier frames have run it.
  ///
  /// - Parameter step: 0 for the first ordered step, then 1, and so on. Every frame must run all steps.
  /// - Throws: Any error of `body`; ``EarlierFrameFailed`` if an earlier frame has failed.
  package func run<Result>(_ step: Int, _ body: () throws -> Result) throws -> Result {
    let comes = wait { step < $0.done.count ? $0.done[step] : 0 }
    guard comes else { throw EarlierFrameFailed() }
    // If a frame fails in `body`, the step stays incomplete, and the failure wakes the waiting frames.
    let result = try body()
    state.update { state in
      while state.done.count <= step { state.done.append(0) }
      state.done[step] = index + 1
    }
    return result
  }

  /// Waits for the frame's turn; returns `false` if an earlier frame has failed.
  fileprivate func wait(for next: (WorkersState) -> Int) -> Bool {
    state.wait { state in
      if state.failure != nil { return false }
      return next(state) == index ? true : nil
    }
  }
}

/// An earlier frame has failed.
package struct EarlierFrameFailed: Error {}

/// Counts frames, and measures the age of each frame when its depth is written.
package struct StreamMeter: Sendable {
  /// Number of the latest ages that are stored.
  private static let kept = 4096

  private let start: ContinuousClock.Instant
  private var ages: [Double] = []
  package private(set) var frames = 0
  /// Number of frames that could not be decoded.
  package private(set) var damaged = 0

  package init(start: ContinuousClock.Instant) { self.start = start }

  /// - Parameters:
  ///   - arrival: The time at which the frame's last byte was read.
  ///   - now: The time at which the frame's depth was written.
  package mutating func count(arrival: ContinuousClock.Instant, now: ContinuousClock.Instant) {
    let age = (now - arrival) / .milliseconds(1)
    if ages.count < Self.kept { ages.append(age) } else { ages[frames % Self.kept] = age }
    frames += 1
  }

  package mutating func countDamaged() { damaged += 1 }

  /// A quantile of the frames' ages, in milliseconds; `nil` before the first frame.
  package func age(share: Double) -> Double? {
    guard !ages.isEmpty else { return nil }
    // The quantile is the nearest rank.
    let rank = Int((share * Double(ages.count)).rounded(.up))
    return ages.sorted()[max(rank, 1) - 1]
  }

  /// A summary line: `300 frames in 12.0 s, 25.0 per second, 0 dropped, age p50 52 ms, p95 70 ms`.
  ///
  /// - Parameter damaged: Number of frames that the reader skipped.
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
