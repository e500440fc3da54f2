import DepthBase
import SystemEssentials

/// Handling of Ctrl-C during a run over several files: the current file is finished, and no further file is begun.
///
/// A second Ctrl-C, or any Ctrl-C outside ``finishingCurrent(_:)``, ends the program at once.
enum Interruption {
  /// Runs `work`, which checks ``hasCome`` before each file.
  static func finishingCurrent(_ work: () throws -> Void) rethrows {
    PartFile.finishOnInterrupt(true)
    defer { PartFile.finishOnInterrupt(false) }
    try work()
  }

  /// Makes the first Ctrl-C end a stream instead of the program.
  static func finishesOnFirst() { PartFile.finishOnInterrupt(true) }

  static var hasCome: Bool { PartFile.isInterrupted }

  /// After Ctrl-C, prints the number of finished photos and throws ``RunStatus/interrupted``.
  static func endIfCome(done: Int, of total: Int) throws {
    guard hasCome else { return }
    Console.note(
      "interrupted, \(done) of \(total) photos are done; \(Console.continuation)")
    throw RunStatus.interrupted
  }
}

/// The signals that end a server. ``wait()`` receives the signals, which then do not end the program.
///
/// A signal that was ignored at the start, such as SIGHUP under `nohup`, stays ignored.
struct EndSignals {
  private var signals = sigset_t()

  /// Blocks the signals; must be called before any other thread starts, since threads inherit the signal mask. An `OwnThread`
  /// blocks all signals.
  init(_ numbers: [Int32] = [SIGINT, SIGTERM, SIGHUP]) {
    unsafe sigemptyset(&signals)
    // A blocked signal is queued even if it is ignored, and `wait` would return it.
    for number in numbers where !PartFile.isIgnored(number) {
      unsafe sigaddset(&signals, number)
    }
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Waits for one of the signals.
  ///
  /// - Returns: The signal's number.
  func wait() -> Int32 {
    var (signals, number) = (signals, Int32(0))
    while unsafe sigwait(&signals, &number) != 0 {}
    return number
  }

  /// Waits on a new thread for a signal, does some work, and ends the program by the same signal.
  func ending(after work: @escaping @Sendable () -> Void) {
    let isTaken = OwnThread.start {
      let number = wait()
      work()
      restore()
      raise(number)
    }
    if !isTaken { restore() }
  }

  /// Unblocks the signals, which then end the program again.
  func restore() {
    var signals = signals
    unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }
}
