import DepthErrors
import Synchronization

/// A note that concerns many photos of a run alike, and is told with the first of them.
enum RunNote: Hashable, Sendable {
  case assumedFocalLength
}

/// How far a run is: on a terminal one line with a bar, the rate and the remaining time; elsewhere a plain
/// line every half minute.
final class RunProgress: Sendable {
  private struct State {
    var done = 0
    /// The photo that was begun last, and its step.
    var current = ""
    /// Notes that a run tells once.
    var told: Set<RunNote> = []
    var lastPlainLine: ContinuousClock.Instant
  }

  private enum Style { case none, terminal, plain }

  private let style: Style
  /// Whether notes are printed that `--json` has as values.
  let tellsNotes: Bool
  private let isShown: Bool
  private let total: Int
  private let isMany: Bool
  private let clock = ContinuousClock()
  private let start: ContinuousClock.Instant
  private let state: Mutex<State>
  private static let plainInterval = Duration.seconds(30)

  /// - Parameters:
  ///   - total: Photos of the run.
  ///   - isMany: Whether there could be more than one: a single photo has no bar and no plain lines.
  ///   - json: Whether results are printed as JSON.
  init(total: Int, isMany: Bool, isShown: Bool, json: Bool = false) {
    (self.total, self.isMany, self.isShown) = (total, isMany, isShown)
    tellsNotes = isShown && !json
    style =
      !isShown ? .none : TerminalLine.isUsable ? .terminal : isMany ? .plain : .none
    start = clock.now
    state = Mutex(State(lastPlainLine: start))
  }

  /// Whether the result of the run's only photo is printed as a sentence.
  var tellsResult: Bool { isShown && !isMany }

  /// Whether a note has not been told before.
  func isFirst(_ note: RunNote) -> Bool { state.withLock { $0.told.insert(note).inserted } }

  /// Shows the step that a photo is at.
  func step(_ step: String, of photo: String) {
    guard style == .terminal else { return }
    state.withLock { state in
      state.current = "\(photo.escapingControls): \(step)"
      draw(state)
    }
  }

  /// Counts a photo, and makes room while `body` writes lines of its own.
  func finishing(_ body: () throws -> Void) rethrows { try making(finished: 1, body) }

  /// Makes room while `body` writes lines of its own.
  func making(finished photos: Int = 0, _ body: () throws -> Void) rethrows {
    try state.withLock { state in
      state.done += photos
      if style == .terminal { TerminalLine.erase() }
      try body()
      if isMany { draw(state) }
    }
  }

  /// Called every second or so.
  func tick() {
    state.withLock { state in
      switch style {
      case .none: break
      case .terminal: draw(state)
      case .plain:
        guard clock.now - state.lastPlainLine >= Self.plainInterval else { return }
        state.lastPlainLine = clock.now
        Console.log("depth: \(counts(state))\n")
      }
    }
  }

  /// Removes the line.
  func end() {
    if style == .terminal { TerminalLine.erase() }
  }

  /// Whether plain lines are printed, because standard error is not a terminal.
  var isPlain: Bool { style == .plain }

  private func draw(_ state: State) {
    guard style == .terminal else { return }
    guard isMany else { return TerminalLine.draw(state.current) }
    let width = 20
    let filled = min(width, width * state.done / max(total, 1))
    let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: width - filled)
    TerminalLine.draw("[\(bar)] \(counts(state))  \(state.current)")
  }

  /// "37 of 200 photos, 2.4 per second, 1 min 8 s left"
  private func counts(_ state: State) -> String {
    let text = "\(state.done) of \(total) photos"
    let seconds = (clock.now - start).milliseconds / 1000
    guard state.done > 0, seconds > 0 else { return text }
    let rate = Double(state.done) / seconds
    let left = Double(max(total - state.done, 0)) / rate
    let number = rate >= 1 ? rate : rate * 60
    return "\(text), \(number.rounded(toDigits: 1)) per \(rate >= 1 ? "second" : "minute"), "
      + "\(Self.text(seconds: Int(left.rounded(.up)))) left"
  }

  /// "2 h 5 min", "1 min 8 s", "9 s"
  static func text(seconds: Int) -> String {
    switch seconds {
    case 3600...: "\(seconds / 3600) h \(seconds % 3600 / 60) min"
    case 60...: "\(seconds / 60) min \(seconds % 60) s"
    default: "\(seconds) s"
    }
  }
}

/// The line at the bottom of a terminal that is drawn again and again.
enum TerminalLine {
  /// Whether standard error is a terminal that can remove a line.
  static var isUsable: Bool { Console.standardErrorTakesEscapes }

  private static let start = "\r\u{1B}[K"

  /// Draws the line in place of the one before. A line that wrapped could not be removed, so it is cut.
  static func draw(_ text: String) {
    Console.log(start + text.prefix(max(Console.terminalColumns - 1, 20)))
  }

  /// Removes the line.
  static func erase() { Console.log(start) }
}
