/// Lines of a table for people, in columns two blanks apart.
///
/// - Parameter leading: The number of columns that are aligned at their left; the others are aligned at their right.
func aligned(_ lines: [[String]], leading: Int) -> String {
  let widths = lines[0].indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
  return lines.map { line in
    line.indices.map { column in
      let fill = String(repeating: " ", count: widths[column] - line[column].count)
      return column < leading ? line[column] + fill : fill + line[column]
    }.joined(separator: "  ") + "\n"
  }.joined()
}

extension String {
  /// The text in a column aligned at its left, with a blank behind it at least.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(width - count, 1))
  }

  /// The text in a column aligned at its right.
  func aligned(right width: Int) -> String {
    String(repeating: " ", count: max(width - count, 0)) + self
  }
}
