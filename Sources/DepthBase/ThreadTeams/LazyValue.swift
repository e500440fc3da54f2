/// A value computed on first use by one thread, while others wait.
package final class LazyValue<Value: Sendable>: Sendable {
  private let state = Monitor<Value?>(nil)

  package init() {}

  /// Frees the value, which is computed again on its next use.
  package func clear() { state.update { $0 = nil } }

  /// The value, computed by `make` if necessary.
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
