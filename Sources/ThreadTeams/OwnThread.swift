/// A thread beside those of the teams, for work that waits: for a pipe, for a camera.
package enum OwnThread {
  /// Starts a detached thread with all signals blocked.
  ///
  /// - Returns: `false` when the system gives no further thread.
  package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    HelperThreads.startThread(body)
  }
}
