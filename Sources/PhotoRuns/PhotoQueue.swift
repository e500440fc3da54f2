import Synchronization

/// The places of a run's photos, in their order. Photos that another run is making come once more at the end.
package final class PhotoQueue: Sendable {
  private struct State {
    var next = 0
    var later: [Int] = []
  }

  private let count: Int
  private let state = Mutex(State())

  package init(count: Int) { self.count = count }

  /// The next place, and whether it was put back before; `nil` at the end.
  package func next() -> (index: Int, isAgain: Bool)? {
    state.withLock { state in
      if state.next < count {
        defer { state.next += 1 }
        return (state.next, false)
      }
      return state.later.isEmpty ? nil : (state.later.removeFirst(), true)
    }
  }

  package func putBack(_ index: Int) { state.withLock { $0.later.append(index) } }
}
