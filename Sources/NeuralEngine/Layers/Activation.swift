/// The function after a convolution, usually computed in the convolution's pass.
package enum Activation: Sendable, Hashable {
  case none
  /// max(y, 0).
  case relu
  /// min(max(y, 0), 6).
  case relu6
  /// eʸ in a separate pass, for the few values of a network's float output.
  case exp
  /// y/2 · (1 + erf(y / √2)), for float layers.
  case gelu

  /// Whether no value of the result can be negative.
  var isNonnegative: Bool { self != .none && self != .gelu }

  /// The lower bound: 0 or −∞.
  var lowerBound: Float {
    switch self {
    case .none, .exp, .gelu: -.infinity
    case .relu, .relu6: 0
    }
  }

  /// The upper bound; `nil` for none.
  var upperBound: Float? { self == .relu6 ? 6 : nil }
}
