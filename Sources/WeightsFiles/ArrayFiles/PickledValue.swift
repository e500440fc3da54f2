/// A value of a state-dict pickle. Names of functions remain names and are not called.
indirect enum PickledValue {
  case none
  case flag(Bool)
  case integer(Int)
  case text(String)
  case tuple([PickledValue], depth: Int)
  /// A module, and a name in the module.
  case name(String, String)
  case container(PickledContainer)
  case storage(PickledStorage)
  case tensor(PickledTensor)
  /// A value that is irrelevant for state dicts, such as a fraction.
  case other

  /// Nesting depth of tuples and containers.
  var depth: Int {
    switch self {
    case .tuple(_, let depth): depth
    case .container(let container): container.depth
    default: 0
    }
  }
}
