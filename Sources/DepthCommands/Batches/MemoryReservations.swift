import DepthBase

/// Memory reservations of the photos in progress. A photo waits until its memory fits beside the other
/// reservations.
final class MemoryReservations: Sendable {
  private struct State {
    /// Photos in progress, and the sum of their peak memory in bytes.
    var (photos, bytes) = (0, 0)
  }

  private let state = Monitor(State())

  var photos: Int { state.read { $0.photos } }

  /// Waits until a photo's memory fits beside the memory of the photos in progress.
  ///
  /// The reservations of photos in progress count in full, although the used memory already includes a part of them.
  /// Fewer photos may then run at once, but no photo runs out of memory.
  ///
  /// - Parameters:
  ///   - name: The photo, for the error.
  ///   - cancellation: Ends the wait.
  /// - Returns: The number of photos of this size that fit into memory.
  /// - Throws: `DepthError` with code `insufficientMemory` for a photo that does not fit alone; `CancellationError`.
  func reserve(
    _ need: MemoryNeed, for name: String, cancellation: Cancellation? = nil
  ) throws -> Int {
    while true {
      try cancellation?.check()
      // Cancellation does not wake the threads that wait here, so they poll for it every 100 ms.
      let fitting = try state.wait(upTo: .milliseconds(100)) { state -> Int? in
        let budget = MemoryBudget.current
        guard need.bytes <= budget.bytes - state.bytes else {
          if state.photos > 0 { return nil }
          try need.require(for: name)
          return self.take(need, from: &state, fitting: 1)
        }
        return self.take(need, from: &state, fitting: max(1, budget.bytes / max(need.bytes, 1)))
      }
      if let fitting { return fitting }
    }
  }

  /// Reserves memory without waiting, if enough memory is free beside the photos in progress.
  ///
  /// - Returns: Whether the memory was reserved.
  func reserveAtOnce(_ need: MemoryNeed) -> Bool {
    state.update { state in
      guard need.bytes <= MemoryBudget.current.bytes - state.bytes else { return false }
      _ = take(need, from: &state, fitting: 1)
      return true
    }
  }

  private func take(_ need: MemoryNeed, from state: inout State, fitting count: Int) -> Int {
    state.photos += 1
    state.bytes += need.bytes
    return count
  }

  func release(_ need: MemoryNeed) {
    state.update {
      $0.photos -= 1
      $0.bytes -= need.bytes
    }
  }
}
