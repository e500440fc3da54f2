/// Width and height of a picture, pixels.
package struct PixelSize: Hashable, Sendable {
  package var width, height: Int

  package init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

  /// Parses `640x480`.
  ///
  /// - Parameters:
  ///   - text: Width, `x` and height in decimal digits.
  ///   - sides: The accepted sides.
  /// - Returns: `nil` for anything else.
  package init?(_ text: String, sides: ClosedRange<Int> = 1...8192) {
    guard let (width, height) = pair(text, in: sides) else { return nil }
    self.init(width: width, height: height)
  }
}

/// Columns and rows, of tiles or of pixels.
package struct Grid: Hashable, Sendable {
  package var columns, rows: Int

  /// Number of tiles.
  package var count: Int { columns * rows }

  package init(columns: Int, rows: Int) { (self.columns, self.rows) = (columns, rows) }

  /// Parses `8x6`, columns first.
  ///
  /// - Parameter counts: The accepted numbers.
  /// - Returns: `nil` for anything else.
  package init?(_ text: String, counts: ClosedRange<Int> = 1...8192) {
    guard let (columns, rows) = pair(text, in: counts) else { return nil }
    self.init(columns: columns, rows: rows)
  }
}

/// The two numbers of `AxB`.
private func pair(_ text: String, in range: ClosedRange<Int>) -> (Int, Int)? {
  let parts = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
  guard parts.count == 2, let first = parts[0], let second = parts[1], range.contains(first),
    range.contains(second)
  else { return nil }
  return (first, second)
}
