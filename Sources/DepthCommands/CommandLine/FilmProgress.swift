import DepthErrors
import FrameStreams
import Synchronization

/// The progress of a film.
final class FilmProgress: Sendable {
  private struct State {
    var done = 0
    /// Frames that an earlier run made.
    var before = 0
  }

  private let name: String
  /// Approximate number of the film's frames; `nil` if unknown.
  private let total: Int?
  private let line: ProgressLine
  private let state = Mutex(State())

  init(name: String, total: Int?, isShown: Bool) {
    (self.name, self.total) = (name.escapingControls, total)
    line = ProgressLine(isShown: isShown, isPlainElsewhere: true)
  }

  /// Counts frames of an earlier run.
  func resume(at frames: Int) { state.withLock { ($0.done, $0.before) = (frames, frames) } }

  func count() {
    state.withLock { state in
      state.done += 1
      line.show(every: .milliseconds(500), text(state))
    }
  }

  func clear() { line.erase() }

  /// "film.mp4: 41.5 %, frame 245 of 590, 9.8 per second, 35 s left"
  private func text(_ state: State) -> String {
    let seconds = line.elapsed / .seconds(1)
    let rate = seconds > 0 ? Double(state.done - state.before) / seconds : 0
    let speed = "\(rate.rounded(toDigits: 1)) per second"
    guard let total, total > 0 else { return "\(name): frame \(state.done), \(speed)" }
    let share = min(Double(state.done) / Double(total), 1) * 100
    return "\(name): \(share.rounded(toDigits: 1)) %, frame \(state.done) of \(total), \(speed)"
      + (ProgressLine.remaining(total - state.done, perSecond: rate).map { ", \($0) left" } ?? "")
  }

  /// "245 frames in 25.1 s, 9.8 per second"
  func summary() -> String {
    state.withLock { StreamMeter.speed(frames: $0.done - $0.before, time: line.elapsed) }
  }
}
