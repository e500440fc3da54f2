import DepthBase

/// A value that is computed when it is first needed, by one thread while others wait.
final class LazyValue<Value: Sendable>: Sendable {
  private let state = Monitor<Value?>(nil)

  /// Frees the value; it is computed again when next needed.
  func clear() { state.update { $0 = nil } }

  /// The value, which `make` computes unless it is known.
  ///
  /// - Throws: Whatever `make` throws.
  func value(_ make: () throws -> Value) throws -> Value {
    try state.update { state in
      if let state { return state }
      let value = try make()
      state = value
      return value
    }
  }
}
