extension ThreadTeam {
  /// ``forEach(_:_:)`` for a body that can throw.
  ///
  /// - Throws: The error of the lowest index whose body throws.
  package func forEachThrowing(
    _ count: Int, _ body: @Sendable (_ index: Int) throws -> Void
  ) throws {
    let failure = FirstFailure()
    forEach(count) { _, index in
      do { try body(index) } catch { failure.note(error, at: index) }
    }
    if let error = failure.error { throw error }
  }
}

/// Keeps the error of the lowest index, independent of the order in which threads report.
private final class FirstFailure: Sendable {
  private let state = Monitor<(index: Int, error: any Error)?>(nil)

  func note(_ error: any Error, at index: Int) {
    state.update { state in
      if index < state?.index ?? .max { state = (index, error) }
    }
  }

  var error: (any Error)? { state.read { $0?.error } }
}
