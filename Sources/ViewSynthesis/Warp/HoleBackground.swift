import DepthBase

/// Determines the background side of a gap: the farther side, or both sides at about the same distance.
/// Coordinates refer to the warped eye.
struct HoleBackground {
  var seen: SeenLine
  var shift: [Int32]
  var mirrored: Bool

  /// Shifts within one pixel belong to one surface.
  static let tolerance: Int32 = 64

  func run(row: Int, start: Int, end: Int) -> HoleRun {
    let width = seen.width
    let (first, last) = mirrored ? (width - end, width - start) : (start, end)
    let left = first > 0 ? seenShift(first - 1) : nil
    let right = last < width ? seenShift(last) : nil
    var takesLeft = left != nil
    var takesRight = right != nil
    if let left, let right {
      takesLeft = left <= right + Self.tolerance
      takesRight = right <= left + Self.tolerance
    }
    return HoleRun(
      row: row, start: start, end: end, takesLeft: mirrored ? takesRight : takesLeft,
      takesRight: mirrored ? takesLeft : takesRight)
  }

  private func seenShift(_ target: Int) -> Int32 {
    shift[min(seen.width - 1, Int(seen[target] + 32) >> 6)]
  }
}
