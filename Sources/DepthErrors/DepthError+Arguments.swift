extension DepthError {
  /// An argument outside what makes sense for it: a number of threads, a radius, a size.
  ///
  /// Such values come from command lines, settings and files, so they are errors and never end the process.
  ///
  /// - Parameters:
  ///   - name: What the argument is, in words.
  ///   - found: Its value, as text.
  ///   - expected: What would do, in words and with units.
  package static func invalidArgument(name: String, found: String, expected: String) -> DepthError {
    DepthError(.invalidArgument, "\(name) is \(found), expected \(expected)")
  }
}

extension Comparable {
  /// Passes on a value that lies within a range.
  ///
  /// - Throws: ``DepthError`` with code `invalidArgument`; NaN lies in no range.
  package func checked(in range: ClosedRange<Self>, _ name: String, _ expected: String) throws {
    guard range.contains(self) else {
      let found = (self as? Double).map(\.shortened) ?? "\(self)"
      throw DepthError.invalidArgument(name: name, found: found, expected: expected)
    }
  }
}

extension Double {
  /// The number with nine digits at most: a quotient of what was typed may have seventeen.
  package var shortened: String {
    guard isFinite, self != 0 else { return "\(self)" }
    var factor = 1.0
    while magnitude * factor < 1e8, factor < 1e100 { factor *= 10 }
    while magnitude * factor >= 1e9 { factor /= 10 }
    return factor >= 1 ? "\((self * factor).rounded() / factor)" : "\(self)"
  }
}

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
