import DepthErrors
import Synchronization

/// A note that applies to many photos of a run but is printed only for the first photo.
enum BatchNote: Hashable, Sendable {
  case assumedFocalLength, distrustedMetres, unknownCalibratedCamera
}

/// The progress of a run over photos: counts, rate and remaining time, with a bar on a terminal.
final class BatchProgress: Sendable {
  private struct State {
    var done = 0
    /// The photo that began last, and its step.
    var current = ""
    var told: Set<BatchNote> = []
  }

  private let line: ProgressLine
  /// Whether notes are printed. With `--json`, records contain the values of notes instead.
  let tellsNotes: Bool
  private let isShown: Bool
  private let total: Int
  private let isMany: Bool
  private let state = Mutex(State())

  /// - Parameters:
  ///   - total: Number of photos.
  ///   - isMany: Whether there may be several photos. A single photo has neither a bar nor plain
  ///     lines.
  ///   - json: Whether results are printed as JSON.
  init(total: Int, isMany: Bool, isShown: Bool, json: Bool = false) {
    (self.total, self.isMany, self.isShown) = (total, isMany, isShown)
    tellsNotes = isShown && !json
    line = ProgressLine(isShown: isShown, isPlainElsewhere: isMany)
  }

  /// Whether the result of the run's only photo is printed as a sentence.
  var tellsResult: Bool { isShown && !isMany }

  /// Whether a note is printed for the first time.
  func isFirst(_ note: BatchNote) -> Bool { state.withLock { $0.told.insert(note).inserted } }

  /// Shows the current step of a photo.
  func step(_ step: String, of photo: String) {
    guard line.style == .terminal else { return }
    state.withLock { state in
      state.current = "\(photo.escapingControls): \(step)"
      line.draw(text(state))
    }
  }

  /// Counts a photo, and hides the progress line while `body` prints other lines.
  func finishing(_ body: () throws -> Void) rethrows { try making(finished: 1, body) }

  /// Hides the progress line while `body` prints other lines.
  func making(finished photos: Int = 0, _ body: () throws -> Void) rethrows {
    try state.withLock { state in
      state.done += photos
      if photos > 0 { state.current = "" }
      line.erase()
      try body()
      if isMany { line.draw(text(state)) }
    }
  }

  /// Redraws the progress; called about every second.
  func tick() { state.withLock { line.show(text($0)) } }

  func end() { line.erase() }

  /// Whether plain lines are printed, because standard error is not a terminal.
  var isPlain: Bool { line.style == .plain }

  private func text(_ state: State) -> String {
    guard line.style == .terminal else { return counts(state) }
    guard isMany else { return state.current }
    let width = 20
    let filled = min(width, width * state.done / max(total, 1))
    let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: width - filled)
    return "[\(bar)] \(counts(state))  \(state.current)"
  }

  /// "37 of 200 photos, 2.4 per second, 1 min 8 s left"
  private func counts(_ state: State) -> String {
    let text = "\(state.done) of \(total) photos"
    let seconds = line.elapsed / .seconds(1)
    guard state.done > 0, seconds > 0 else { return text }
    let rate = Double(state.done) / seconds
    let (number, unit) = rate >= 1 ? (rate, "second") : (rate * 60, "minute")
    return "\(text), \(number.rounded(toDigits: 1)) per \(unit)"
      + (ProgressLine.remaining(total - state.done, perSecond: rate).map { ", \($0) left" } ?? "")
  }
}
