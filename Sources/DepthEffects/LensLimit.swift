import Synchronization

/// A limit on the discs of a lens in a film or stream. Discs of objects that approach the camera may exceed the
/// accepted size. Larger discs are an error only for a photo.
package final class LensLimit: Sendable {
  private let isReached = Atomic(false)

  package init() {}

  func reach() { isReached.store(true, ordering: .relaxed) }

  /// The note for the user; `nil` while no disc exceeds the limit.
  package var note: String? {
    isReached.load(ordering: .relaxed)
      ? "the lens blurs some points over more than 10 % of the width; they are blurred over 10 %"
      : nil
  }
}
