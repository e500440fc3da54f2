import DepthBase

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

/// A dictionary or a list while it is read. Once it lies in another one it does not change any more, so that no container
/// contains itself.
final class PickledContainer {
  let isDictionary: Bool
  private(set) var items: [(key: PickledValue, value: PickledValue)] = []
  fileprivate(set) var depth = 1
  private var isSealed = false

  init(isDictionary: Bool) { self.isDictionary = isDictionary }

  /// - Throws: ``PickleReader/Fault`` for a container that lies in another one, and for too many levels.
  func add(_ key: PickledValue, _ value: PickledValue) throws(PickleReader.Fault) {
    for child in [key, value] {
      if case .container(let inner) = child {
        guard inner !== self else { throw .damaged("a container in itself") }
        inner.seal()
      }
    }
    depth = max(depth, 1 + max(key.depth, value.depth))
    guard !isSealed, depth <= PickleReader.deepest else {
      throw .damaged("containers that are nested too deeply or changed late")
    }
    items.append((key, value))
  }

  /// From here on it does not change.
  func seal() { isSealed = true }

  /// The value of a text among the keys.
  subscript(key: String) -> PickledValue? {
    items.last { if case .text(key) = $0.key { true } else { false } }?.value
  }
}

/// Elements that tensors are windows into.
struct PickledStorage {
  /// Such as `FloatStorage`.
  let type: String
  let key: String
  let count: Int
}

/// A strided window into a storage.
struct PickledTensor {
  let storage: PickledStorage
  let offset: Int
  let shape, strides: [Int]

  /// Whether its elements follow each other in row-major order.
  var isContiguous: Bool {
    // Without elements nothing follows anything, and other extents may multiply to more than an integer holds.
    guard !shape.contains(0) else { return true }
    var expected = 1
    for (extent, stride) in zip(shape, strides).reversed() {
      guard extent == 1 || stride == expected else { return false }
      let (next, overflows) = expected.multipliedReportingOverflow(by: extent)
      guard !overflows else { return false }
      expected = next
    }
    return true
  }
}
