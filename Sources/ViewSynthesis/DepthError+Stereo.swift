package import DepthErrors

extension DepthError {
  /// The error for a shift that eyes cannot fuse. Both numbers are fractions of the width.
  package static func shiftTooLarge(shift: Double, limit: Double) -> DepthError {
    DepthError(
      .invalidArgument,
      "a shift of \(percent(shift)) of the width is too large, expected at most \(percent(limit))")
  }

  /// The error for a baseline, focal length and screen distance that move a point beyond the limit. Both
  /// numbers are fractions of the width.
  static func parallaxTooLarge(parallax: Double, limit: Double) -> DepthError {
    DepthError(
      .invalidArgument,
      "the settings move a point by \(percent(parallax)) of the width, expected at most "
        + "\(percent(limit)): use a shorter baseline or a screen nearer to the scene's depth")
  }

  /// The error for a map without values.
  package static func noDepth(width: Int, height: Int) -> DepthError {
    DepthError(.noDepth, "the \(width)×\(height) depth map has no pixel with a value")
  }

  /// The error for metric parallax with gathering or the scan-line ideas, which support only a
  /// shift.
  package static var shiftOnly: DepthError {
    DepthError(
      .invalidArgument,
      "the renderer 'gather' and the scan-line variants take a shift, not a baseline and a focal length"
    )
  }

  /// The error for a number out of range.
  package static func outOfRange(name: String, value: Double, expected: String) -> DepthError {
    invalidArgument(name: name, found: "\(value)", expected: expected)
  }

  private static func percent(_ fraction: Double) -> String {
    "\((fraction * 100).rounded(toDigits: 2)) %"
  }
}
