/// A dictionary or a list while it is read. Once it lies in another one it does not change any more, so that no container
/// contains itself.
final class PickledContainer {
  let isDictionary: Bool
  private(set) var items: [(key: PickledValue, value: PickledValue)] = []
  private(set) var depth = 1
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
