import Synchronization

/// OpenBLAS at one thread a product while any work of ours is under way.
///
/// The products of a network run side by side on our threads; OpenBLAS's own would only add to
/// them. Its setting belongs to the whole process, so it is put back when the last user leaves.
enum OpenBLASThreads {
  private struct State {
    var users = 0
    var hostSetting: Int32 = 1
  }

  private static let state = Mutex(State())

  static func limitedToOne<Result>(_ work: () throws -> Result) rethrows -> Result {
    state.withLock { state in
      if state.users == 0 {
        state.hostSetting = OpenBLAS.threads
        OpenBLAS.setThreads(1)
      }
      state.users += 1
    }
    defer {
      state.withLock { state in
        state.users -= 1
        if state.users == 0 { OpenBLAS.setThreads(state.hostSetting) }
      }
    }
    return try work()
  }
}

extension Products {
  /// Runs `work` with OpenBLAS limited to one thread a product, if it is OpenBLAS that multiplies.
  package static func withoutNestedThreads<Result>(
    _ products: Products, _ work: () throws -> Result
  ) rethrows -> Result {
    switch products {
    case .openBLAS: try OpenBLASThreads.limitedToOne(work)
    case .packed: try work()
    }
  }
}
