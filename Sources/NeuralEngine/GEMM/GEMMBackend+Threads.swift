import DepthBase

extension GEMMBackend {
  private struct OpenBLASUse {
    var users = 0
    var hostSetting: Int32 = 1
  }

  private static let openBLASUse = Monitor(OpenBLASUse())

  /// Runs `work`. If OpenBLAS is the back end, each product uses one thread.
  ///
  /// A network's products already run in parallel on the team's threads, with which OpenBLAS's own threads
  /// would compete. The setting is global to the process, and is restored after the last run.
  func withoutNestedThreads<Result>(_ work: () throws -> Result) rethrows -> Result {
    guard case .openBLAS = self else { return try work() }
    Self.openBLASUse.update { use in
      if use.users == 0 {
        use.hostSetting = OpenBLAS.threads
        OpenBLAS.setThreads(1)
      }
      use.users += 1
    }
    defer {
      Self.openBLASUse.update { use in
        use.users -= 1
        if use.users == 0 { OpenBLAS.setThreads(use.hostSetting) }
      }
    }
    return try work()
  }
}
