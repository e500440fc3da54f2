/// One line on a terminal with the frame that was measured last and the remaining time.
struct EvaluationProgress {
  private let total: Int
  private let isShown: Bool
  private let start = ContinuousClock().now

  /// - Parameter isShown: Whether to show it, if standard error is a terminal that can remove a line.
  init(total: Int, isShown: Bool) {
    (self.total, self.isShown) = (total, isShown && TerminalLine.isUsable)
  }

  /// - Parameter done: Frames that are measured, with this one.
  func show(_ done: Int, _ name: String) {
    guard isShown else { return }
    var line = (total > 1 ? "[\(done)/\(total)] " : "") + name.escapingControls
    let before = done - 1
    if before > 0 {
      let left = (ContinuousClock().now - start) / before * (total - before)
      line += ", \(RunProgress.text(seconds: Int(left.milliseconds / 1000) + 1)) left"
    }
    TerminalLine.draw(line)
  }

  /// Makes room for another line.
  func clear() {
    if isShown { TerminalLine.erase() }
  }
}
