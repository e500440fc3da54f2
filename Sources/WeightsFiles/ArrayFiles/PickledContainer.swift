/// A dictionary or list of a pickle. A container becomes immutable when added to another container, so no container
/// contains itself.
final class PickledContainer {
  let isDictionary: Bool
  private(set) var items: [(key: PickledValue, value: PickledValue)] = []
  private(set) var depth = 1
  private var isSealed = false

  init(isDictionary: Bool) { self.isDictionary = isDictionary }

  /// - Throws: ``PickleReader/Fault`` for an immutable container, and for too many levels.
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

  /// Makes the container immutable.
  func seal() { isSealed = true }

  /// The value for a text key.
  subscript(key: String) -> PickledValue? {
    items.last { if case .text(key) = $0.key { true } else { false } }?.value
  }
}
