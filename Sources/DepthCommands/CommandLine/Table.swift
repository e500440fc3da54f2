/// Formats a table with two spaces between columns.
///
/// - Parameter leading: Number of left-aligned columns; all further columns are right-aligned.
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
  /// The text padded on the right, by at least one space.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(width - count, 1))
  }

  func aligned(right width: Int) -> String {
    String(repeating: " ", count: max(width - count, 0)) + self
  }
}
