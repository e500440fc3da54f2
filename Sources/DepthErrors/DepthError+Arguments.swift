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
