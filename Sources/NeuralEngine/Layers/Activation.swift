/// The function that follows a convolution, computed in the same pass over its result.
package enum Activation: Sendable, Hashable {
  case none
  /// max(y, 0).
  case relu
}
