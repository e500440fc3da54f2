import DepthErrors

/// How many threads a call uses.
package enum ThreadCount {
  /// What may be asked for: more threads than any processor runs at once help nobody.
  package static let range = 1...256

  /// The number asked for, or as many as there are processors.
  ///
  /// - Throws: ``DepthError`` outside ``range``; `nil`, not 0, leaves the choice to the machine.
  package static func checked(_ threads: Int?) throws -> Int {
    guard let threads else { return availableProcessors }
    try threads.checked(
      in: range, "the number of threads", "\(range.lowerBound) to \(range.upperBound)")
    return threads
  }
}
