package import DepthErrors

extension DepthError {
  /// One side is zero.
  package static func noPixels(file: String, width: Int, height: Int) -> DepthError {
    DepthError(.damaged, file: file, "is \(width)×\(height) pixels, expected at least 1×1")
  }

  /// More pixels than ``ImageLimits`` allow.
  package static func tooLarge(file: String, width: Int, height: Int, limit: Int) -> DepthError {
    DepthError(
      .tooLarge, file: file, "is \(width)×\(height) pixels, expected at most \(limit) in all")
  }

  /// A depth file does not say what its numbers mean, and the caller did not either.
  package static func unknownUnit(file: String, options: [String]) -> DepthError {
    DepthError(
      .unknownUnit, file: file,
      "does not say what its values mean, name the depth unit: \(options.joined(separator: ", "))")
  }

  /// The caller names another unit than the file itself.
  package static func unitMismatch(file: String, expected: String, found: String) -> DepthError {
    DepthError(
      .unknownUnit, file: file,
      "says that its values are \(found), asked to read them as \(expected)")
  }

  /// The format cannot hold this picture.
  package static func unencodable(format: String, reason: String) -> DepthError {
    DepthError(.unsupportedFormat, "\(format): \(reason)")
  }
}
