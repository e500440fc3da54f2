import Synchronization

/// A number of frames, which other threads may ask for while the reader waits for its source.
package final class FrameCount: Sendable {
  private let number = Atomic<Int>(0)

  package var value: Int { number.load(ordering: .relaxed) }

  func add() { number.add(1, ordering: .relaxed) }
}
