import DepthErrors
import FrameStreams
import Synchronization

/// How far a film is: a line that is drawn again on a terminal, elsewhere one every half minute.
final class FilmProgress: Sendable {
  private struct State {
    var done = 0
    /// Frames that an earlier run made.
    var before = 0
    var lastLine: ContinuousClock.Instant
  }

  private let name: String
  /// Frames of the film, about; `nil` where it does not say.
  private let total: Int?
  private let isShown, isTerminal: Bool
  private let clock = ContinuousClock()
  private let start: ContinuousClock.Instant
  private let state: Mutex<State>

  init(name: String, total: Int?, isShown: Bool) {
    (self.name, self.total, self.isShown) = (name.escapingControls, total, isShown)
    isTerminal = TerminalLine.isUsable
    start = clock.now
    state = Mutex(State(lastLine: start))
  }

  /// Counts frames of an earlier run.
  func resume(at frames: Int) { state.withLock { ($0.done, $0.before) = (frames, frames) } }

  /// Counts a frame.
  func count() {
    state.withLock { state in
      state.done += 1
      guard isShown else { return }
      let interval: Duration = isTerminal ? .milliseconds(500) : .seconds(30)
      guard clock.now - state.lastLine >= interval else { return }
      state.lastLine = clock.now
      let line = text(state)
      if isTerminal {
        TerminalLine.draw(line)
      } else {
        Console.log("depth: \(line)\n")
      }
    }
  }

  /// Removes the line.
  func clear() {
    if isShown, isTerminal { TerminalLine.erase() }
  }

  /// "film.mp4: 41.5 %, frame 245 of 590, 9.8 per second, 35 s left"
  private func text(_ state: State) -> String {
    let seconds = (clock.now - start) / .seconds(1)
    let rate = seconds > 0 ? Double(state.done - state.before) / seconds : 0
    let speed = "\(rate.rounded(toDigits: 1)) per second"
    guard let total, total > 0 else { return "\(name): frame \(state.done), \(speed)" }
    let share = min(Double(state.done) / Double(total), 1) * 100
    return "\(name): \(share.rounded(toDigits: 1)) %, frame \(state.done) of \(total), \(speed)"
      + (Self.remaining(max(total - state.done, 0), perSecond: rate).map { ", \($0) left" } ?? "")
  }

  /// "35 s"; `nil` if the number of seconds is too large for an integer, as a damaged film's may be.
  static func remaining(_ frames: Int, perSecond rate: Double) -> String? {
    let seconds = rate > 0 ? Double(frames) / rate : 0
    return Int(exactly: seconds.rounded(.up)).map(RunProgress.text(seconds:))
  }

  /// "245 frames in 25.1 s, 9.8 per second"
  func summary() -> String {
    state.withLock { StreamMeter.speed(frames: $0.done - $0.before, time: clock.now - start) }
  }
}
