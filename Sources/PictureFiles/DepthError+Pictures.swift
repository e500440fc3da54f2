package import DepthErrors

extension DepthError {
  /// A depth file does not say what its numbers mean, and the caller did not either.
  package static func unknownUnit(file: String, options: [String]) -> DepthError {
    DepthError(
      .unknownUnit, file: file,
      "does not record the unit of its values, name the depth unit: \(options.joined(separator: ", "))",
      cause: SettingAtFault.depthUnit)
  }

  /// The caller names another unit than the file itself.
  static func unitMismatch(file: String, expected: String, found: String) -> DepthError {
    DepthError(
      .unknownUnit, file: file,
      "records its values as \(found), but was to be read as \(expected)")
  }

  /// The format cannot hold this picture.
  package static func unencodable(format: String, reason: String) -> DepthError {
    DepthError(.unsupportedFormat, "\(format): \(reason)")
  }
}
