import DepthErrors

/// The number of threads that a call uses.
package enum ThreadCount {
  /// The accepted numbers of threads.
  package static let range = 1...256

  /// The requested number of threads, or ``availableProcessors`` for `nil`.
  ///
  /// - Throws: `DepthError` with code `invalidArgument` for a number outside ``range``, including 0.
  package static func checked(_ threads: Int?) throws -> Int {
    guard let threads else { return availableProcessors }
    try threads.checked(
      in: range, "the number of threads", "\(range.lowerBound) to \(range.upperBound)")
    return threads
  }
}
