/// Threads for long, independent pieces of work, such as whole photos.
///
/// The workers of a ``ThreadTeam`` spin between short loops. In contrast, an idle worker of this type returns to the
/// helper threads, so that the teams of other workers can use it.
package enum WorkerThreads {
  /// Runs `work` on up to `count` threads and returns when all have ended.
  ///
  /// The caller sleeps in the meantime and receives the process's signals. If the system starts no thread, the caller runs
  /// `work` itself.
  ///
  /// - Parameters:
  ///   - count: Number of requested threads, at least 1.
  ///   - milliseconds: Interval between calls of `tick`.
  ///   - tick: Called by the caller while the threads work.
  ///   - work: Processes pieces of work until none is left.
  package static func run(
    _ count: Int, every milliseconds: Int, tick: () -> Void, _ work: @escaping @Sendable () -> Void
  ) {
    precondition(count > 0, "\(count) workers, expected at least 1")
    let running = Monitor(count)
    let asked = HelperThreads.shared.ask(count) {
      work()
      running.update { $0 -= 1 }
    }
    running.update { $0 -= count - asked }
    guard asked > 0 else { return work() }
    while running.wait(upTo: .milliseconds(milliseconds), until: { $0 == 0 ? () : nil }) == nil {
      tick()
    }
  }
}
