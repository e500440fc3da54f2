extension DepthError {
  /// The same failure as one of this file. Its message keeps the name of a file that it was about before.
  package func naming(_ file: String) -> DepthError {
    DepthError(code, file: file, description, cause: cause)
  }

  /// The system does not let the file be read, or what it holds ends the reading.
  package static func unreadable(file: String, reason: String) -> DepthError {
    DepthError(.unreadable, file: file, reason)
  }

  /// The system does not let the file be written; nothing of it is left behind.
  package static func unwritable(file: String, reason: String) -> DepthError {
    DepthError(.unwritable, file: file, reason)
  }

  /// There is such a file already, and it was not to be replaced.
  package static func fileExists(_ file: String) -> DepthError {
    DepthError(.fileExists, file: file, "exists already")
  }

  /// The content is of a kind that is not read here.
  package static func unsupportedFormat(file: String, expected: String, found: String) -> DepthError
  {
    DepthError(.unsupportedFormat, file: file, "holds \(found), expected \(expected)")
  }

  /// The content begins correctly for its format, but then violates the format's rules or ends too early.
  package static func damaged(file: String, format: String, reason: String) -> DepthError {
    DepthError(.damaged, file: file, "damaged \(format): \(reason)")
  }

  /// The extension of an output file selects no format.
  package static func unknownExtension(
    file: String, expected: [String], found: String
  ) -> DepthError {
    DepthError(
      .unsupportedFormat, file: file,
      "\(found.isEmpty ? "has no extension" : "ends in .\(found)"), "
        + "expected \(expected.joined(separator: ", "))")
  }
}
