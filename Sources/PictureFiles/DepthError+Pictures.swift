package import DepthErrors

extension DepthError {
  /// The error for a depth file whose unit neither the file nor the caller specifies.
  package static func unknownUnit(file: String, options: [String]) -> DepthError {
    DepthError(
      .unknownUnit, file: file,
      "does not record the unit of its values, expected one of \(options.joined(separator: ", "))",
      cause: SettingAtFault.depthUnit)
  }

  /// The error for a unit that contradicts the unit in the file.
  static func unitMismatch(file: String, expected: String, found: String) -> DepthError {
    DepthError(
      .unknownUnit, file: file,
      "records its values as \(found), expected \(expected)")
  }

  /// The error for a picture that the format cannot store.
  package static func unencodable(format: String, reason: String) -> DepthError {
    DepthError(.unsupportedFormat, "\(format): \(reason)")
  }
}
