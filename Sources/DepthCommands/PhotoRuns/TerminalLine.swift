/// The line at the bottom of a terminal that is drawn again and again.
enum TerminalLine {
  /// Whether standard error is a terminal that can remove a line.
  static var isUsable: Bool { Console.standardErrorTakesEscapes }

  private static let start = "\r\u{1B}[K"

  /// Draws the line in place of the one before. A line that wrapped could not be removed, so it is cut.
  static func draw(_ text: String) {
    Console.note(start + text.prefix(max(Console.terminalColumns - 1, 20)))
  }

  /// Removes the line.
  static func erase() { Console.note(start) }
}
