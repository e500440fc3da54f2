/// Width and height of a picture, pixels.
package struct PixelSize: Hashable, Sendable {
  package var width, height: Int

  package init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

  /// Reads `640x480`.
  ///
  /// - Parameters:
  ///   - text: Width, `x` and height in decimal digits.
  ///   - sides: The sides that are accepted.
  /// - Returns: `nil` for anything else.
  package init?(_ text: String, sides: ClosedRange<Int> = 1...8192) {
    guard let (width, height) = pair(text, in: sides) else { return nil }
    self.init(width: width, height: height)
  }
}

/// Columns and rows: tiles of a picture that is put together from others, or pixels across and down.
package struct Grid: Hashable, Sendable {
  package var columns, rows: Int

  /// Tiles in all.
  package var count: Int { columns * rows }

  package init(columns: Int, rows: Int) { (self.columns, self.rows) = (columns, rows) }

  /// Reads `8x6`, columns first.
  ///
  /// - Parameter counts: The numbers that are accepted.
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
