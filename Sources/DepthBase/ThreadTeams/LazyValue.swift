/// A value that one thread computes on first use while other threads wait.
package final class LazyValue<Value: Sendable>: Sendable {
  private let state = Monitor<Value?>(nil)

  package init() {}

  /// Frees the value. The next use computes the value again.
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
