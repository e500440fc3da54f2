import CDepthBase
import SystemEssentials

/// Threads of this package, for team helpers and for work that blocks on pipes or cameras.
package enum OwnThread {
  /// Starts a detached thread with the default stack size.
  ///
  /// - Returns: `false` if the system cannot start a thread.
  package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    start(stackBytes: nil, body)
  }

  /// Starts a detached thread with all signals blocked, so that the program's own threads handle them.
  ///
  /// - Parameter stackBytes: Stack size; `nil` for the system's default.
  /// - Returns: `false` if the system cannot start a thread.
  package static func start(
    stackBytes: Int?, _ body: @escaping @Sendable () -> Void
  ) -> Bool {
    var attributes = pthread_attr_t()
    guard unsafe pthread_attr_init(&attributes) == 0 else { return false }
    defer { unsafe pthread_attr_destroy(&attributes) }
    if let stackBytes { unsafe pthread_attr_setstacksize(&attributes, stackBytes) }
    var (all, before) = (sigset_t(), sigset_t())
    unsafe sigfillset(&all)
    guard unsafe pthread_sigmask(SIG_SETMASK, &all, &before) == 0 else { return false }
    defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
    let box = unsafe Unmanaged.passRetained(Box(body))
    #if canImport(Darwin)
      var thread: pthread_t?
      let status = unsafe pthread_create(
        &thread, &attributes, { unsafe Unmanaged<Box>.fromOpaque($0).takeRetainedValue().run() },
        box.toOpaque())
      if status == 0, let thread = unsafe thread { unsafe pthread_detach(thread) }
    #else
      var thread = pthread_t()
      let status = unsafe pthread_create(
        &thread, &attributes, { unsafe Unmanaged<Box>.fromOpaque($0!).takeRetainedValue().run() },
        box.toOpaque())
      if status == 0 { pthread_detach(thread) }
    #endif
    if status != 0 { unsafe box.release() }
    return status == 0
  }

  /// Passes a job through a C pointer.
  private final class Box: Sendable {
    private let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    func run() -> UnsafeMutableRawPointer? {
      body()
      return nil
    }
  }
}
