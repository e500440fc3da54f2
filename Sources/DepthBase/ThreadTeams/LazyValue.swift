/// A value that is computed when it is first needed, by one thread while others wait.
package final class LazyValue<Value: Sendable>: Sendable {
  private let state = Monitor<Value?>(nil)

  package init() {}

  /// Frees the value; it is computed again when next needed.
  package func clear() { state.update { $0 = nil } }

  /// The value, which `make` computes unless it is known.
  ///
  /// - Throws: The error of `make`; the next call tries again.
  package func value(_ make: () throws -> Value) throws -> Value {
    try state.update { state in
      if let state { return state }
      let value = try make()
      state = value
      return value
    }
  }
}
