import DepthOptions
import PhotoRuns

/// One line on a terminal with the current photo and the remaining time.
final class Progress {
  private let total: Int
  private let isShown: Bool
  private let clock = ContinuousClock()
  private let start: ContinuousClock.Instant
  private var done = 0
  private var line = ""

  /// - Parameter isShown: Whether to show it, if standard error is a terminal at all.
  init(total: Int, isShown: Bool) {
    self.total = total
    self.isShown = isShown && Console.standardErrorIsTerminal
    start = clock.now
  }

  func begin(_ what: String) {
    guard isShown else { return }
    line = (total > 1 ? "[\(done + 1)/\(total)] " : "") + what.escapingControls
    if done > 0 {
      let left = (clock.now - start) / done * (total - done)
      line += ", \(Int(left.milliseconds / 1000) + 1) s left"
    }
    Console.note("\r\u{1B}[K\(line)")
  }

  /// The current step.
  func step(_ step: String) {
    if isShown { Console.note("\r\u{1B}[K\(line): \(step)") }
  }

  /// Makes room for another line.
  func clear() {
    if isShown { Console.note("\r\u{1B}[K") }
  }

  func end() { done += 1 }
}
