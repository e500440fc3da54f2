/// Threads for long, independent pieces of work, such as whole photos.
///
/// Unlike a ``ThreadTeam``, whose workers spin between loops of microseconds, a worker that has nothing
/// left to do goes back to the helper threads, where the teams of the others find it.
package enum WorkerThreads {
  /// Runs `work` on up to `count` threads at once and returns when all have ended.
  ///
  /// The caller sleeps meanwhile and takes the process's signals. Where the system gives no thread, the
  /// caller runs `work` once itself.
  ///
  /// - Parameters:
  ///   - count: Threads that are asked for, at least 1.
  ///   - milliseconds: Time between two calls of `tick`.
  ///   - tick: Called by the caller while the others work.
  ///   - work: Takes pieces of work until none is left.
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
