import Synchronization

/// A limit of the discs of a film's or a stream's lens: things that come near may need larger ones than a lens can have, and a photo
/// with such a lens is refused.
package final class LensLimit: Sendable {
  private let isReached = Atomic(false)

  package init() {}

  func reach() { isReached.store(true, ordering: .relaxed) }

  /// The note for the user; `nil` while no disc was too large.
  package var note: String? {
    isReached.load(ordering: .relaxed)
      ? "the lens blurs some points over more than 10 % of the width; they are blurred over 10 %"
      : nil
  }
}
