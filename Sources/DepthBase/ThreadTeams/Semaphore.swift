import SystemEssentials

/// A counting semaphore.
final class Semaphore: Sendable {
  private let condition = Condition()
  /// Accessed only while the condition is locked.
  nonisolated(unsafe) private var count = 0

  func signal() {
    condition.locked {
      unsafe count += 1
      condition.wakeOne()
    }
  }

  func wait() {
    condition.locked {
      while unsafe count == 0 { condition.wait() }
      unsafe count -= 1
    }
  }
}
