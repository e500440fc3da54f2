import SystemEssentials

/// A value that threads change under a lock, and whose changes they can sleep for.
///
/// Every change wakes all waiting threads, which look at the value again.
///
/// What a child of `fork` may call keeps its values in monitors: Swift's `Mutex` remembers the number of each thread, which is
/// another one in the first thread of a child, and ends the process when that thread unlocks what a second one waits for.
package final class Monitor<State: Sendable>: Sendable {
  private let condition = Condition()
  /// Accessed only while the condition is locked.
  nonisolated(unsafe) private var state: State

  package init(_ state: State) { unsafe self.state = state }

  /// Looks at the value, which wakes nobody.
  package func read<Result>(_ body: (State) throws -> Result) rethrows -> Result {
    try condition.locked { try unsafe body(state) }
  }

  /// Changes the value and wakes the threads that wait for it.
  package func update<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
    try condition.locked {
      defer { condition.wakeAll() }
      return try unsafe body(&state)
    }
  }

  /// Sleeps until `attempt`, called again after every change, gives a result.
  package func wait<Result>(
    until attempt: (inout State) throws -> Result?
  ) rethrows -> Result {
    try condition.locked {
      while true {
        if let result = try unsafe attempt(&state) {
          condition.wakeAll()
          return result
        }
        condition.wait()
      }
    }
  }

  /// Like ``wait(until:)``, but gives up after a time, whatever the clock of the day is set to meanwhile.
  ///
  /// - Returns: `nil` when the time is over.
  package func wait<Result>(
    upTo time: Duration, until attempt: (inout State) throws -> Result?
  ) rethrows -> Result? {
    let end = timespec(in: time)
    return try condition.locked {
      while true {
        if let result = try unsafe attempt(&state) {
          condition.wakeAll()
          return result
        }
        if !condition.wait(until: end) { return try unsafe attempt(&state) }
      }
    }
  }
}
