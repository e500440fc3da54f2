/// A gap in one row of a synthesized view: targets `start ..< end` without a source pixel.
struct HoleRun: Sendable {
  var row, start, end: Int
  /// Whether the pixel on each side belongs to the surface behind the gap. At the frame's edge, the only
  /// adjacent pixel always does.
  var takesLeft, takesRight: Bool
}
