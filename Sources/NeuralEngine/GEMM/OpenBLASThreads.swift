import DepthBase

/// Limits OpenBLAS to one thread per product while a network runs.
///
/// The products of a network run in parallel on the team's threads, and OpenBLAS's own threads
/// would compete with them. The setting is global to the process, so it is restored after the last
/// run.
enum OpenBLASThreads {
  private struct State {
    var users = 0
    var hostSetting: Int32 = 1
  }

  private static let state = Monitor(State())

  static func limitedToOne<Result>(_ work: () throws -> Result) rethrows -> Result {
    state.update { state in
      if state.users == 0 {
        state.hostSetting = OpenBLAS.threads
        OpenBLAS.setThreads(1)
      }
      state.users += 1
    }
    defer {
      state.update { state in
        state.users -= 1
        if state.users == 0 { OpenBLAS.setThreads(state.hostSetting) }
      }
    }
    return try work()
  }
}

extension GEMMBackend {
  /// Runs `work` with OpenBLAS limited to one thread per product, if OpenBLAS is the back end.
  package static func withoutNestedThreads<Result>(
    _ backend: GEMMBackend, _ work: () throws -> Result
  ) rethrows -> Result {
    switch backend {
    case .openBLAS: try OpenBLASThreads.limitedToOne(work)
    case .packed, .fused: try work()
    }
  }
}
