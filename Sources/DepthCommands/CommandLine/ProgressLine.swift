import DepthErrors
import Synchronization

/// The progress of a run as one line. A terminal redraws the line; other outputs get a new line every half minute.
final class ProgressLine: Sendable {
  enum Style { case hidden, terminal, plain }

  let style: Style
  private let clock = ContinuousClock()
  private let start: ContinuousClock.Instant
  private let last: Mutex<ContinuousClock.Instant>

  /// - Parameters:
  ///   - isShown: Whether progress is shown; `false` with `--quiet`.
  ///   - isPlainElsewhere: Whether plain lines are printed if standard error cannot redraw a line.
  init(isShown: Bool, isPlainElsewhere: Bool) {
    style =
      !isShown
      ? .hidden
      : Console.standardErrorTakesEscapes ? .terminal : isPlainElsewhere ? .plain : .hidden
    start = clock.now
    last = Mutex(start)
  }

  /// The time since initialization.
  var elapsed: Duration { clock.now - start }

  /// Redraws the line on a terminal. The line is truncated, since a wrapped line could not be removed.
  func draw(_ text: @autoclosure () -> String) {
    guard style == .terminal else { return }
    Console.log(Self.start + Self.cut(text(), columns: max(Console.terminalColumns - 1, 20)))
  }

  /// The longest prefix of `text` that fits. A non-ASCII character counts as two columns.
  static func cut(_ text: String, columns: Int) -> Substring {
    var left = columns
    return text.prefix { character in
      left -= character.isASCII ? 1 : 2
      return left >= 0
    }
  }

  /// Draws or prints the line. The minimum time between two lines is `interval` on a terminal, and half a minute
  /// elsewhere.
  func show(every interval: Duration = .zero, _ text: @autoclosure () -> String) {
    guard style != .hidden else { return }
    let isDue = last.withLock { last in
      guard clock.now - last >= (style == .terminal ? interval : .seconds(30)) else { return false }
      last = clock.now
      return true
    }
    guard isDue else { return }
    if style == .terminal { draw(text()) } else { Console.note(text()) }
  }

  /// Removes the line from a terminal.
  func erase() {
    if style == .terminal { Console.log(Self.start) }
  }

  private static let start = "\r\u{1B}[K"
}

extension ProgressLine {
  /// Draws "[3/164] 00008, 12 s left" after a frame was measured.
  func draw(frame done: Int, of total: Int, _ name: String) {
    let rate = Double(done) / (elapsed / .seconds(1))
    let left = done < total ? Self.remaining(total - done, perSecond: rate) : nil
    draw(
      (total > 1 ? "[\(done)/\(total)] " : "") + name.escapingControls
        + (left.map { ", \($0) left" } ?? ""))
  }

  /// The remaining time, such as "35 s"; `nil` without a rate, or if a damaged film makes the seconds overflow.
  static func remaining(_ count: Int, perSecond rate: Double) -> String? {
    let seconds = Double(max(count, 0)) / rate
    return Int(exactly: seconds.rounded(.up)).map(text(seconds:))
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
