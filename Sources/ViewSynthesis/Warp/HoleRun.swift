/// A gap in one row of a synthesized view: targets `start ..< end` without a source pixel.
struct HoleRun: Sendable {
  var row, start, end: Int
  /// Whether each pixel beside the gap belongs to the surface behind it; at the frame's edge, the only one does.
  var takesLeft, takesRight: Bool
}
