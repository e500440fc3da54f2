import DepthBase
import SystemEssentials

/// The signals that end a server: they are taken by ``wait()`` instead of ending the program. One that was ignored at the
/// start, as SIGHUP under `nohup`, stays ignored.
struct EndSignals {
  private var signals = sigset_t()

  /// Must come before any thread begins, since threads inherit what is blocked.
  init() {
    unsafe sigemptyset(&signals)
    // A blocked signal is queued even where it is ignored, and would be taken.
    for number in [SIGINT, SIGTERM, SIGHUP] where !PartFile.isIgnored(number) {
      unsafe sigaddset(&signals, number)
    }
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Waits for one of them.
  func wait() {
    var (signals, number) = (signals, Int32(0))
    while unsafe sigwait(&signals, &number) != 0 {}
  }

  /// Lets the signals end the program again.
  func restore() {
    var signals = signals
    unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }
}
