/// A value of a pickle, as far as a state dict needs one. Nothing is called; names stay names.
indirect enum PickledValue {
  case none
  case flag(Bool)
  case integer(Int)
  case text(String)
  case tuple([PickledValue], depth: Int)
  /// A module and a name in it.
  case name(String, String)
  case container(PickledContainer)
  case storage(PickledStorage)
  case tensor(PickledTensor)
  /// A value that no state dict needs, such as a number with a fraction.
  case other

  /// Nested tuples and containers, counted from the innermost.
  var depth: Int {
    switch self {
    case .tuple(_, let depth): depth
    case .container(let container): container.depth
    default: 0
    }
  }
}
