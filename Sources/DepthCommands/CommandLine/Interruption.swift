import DepthBase
import SystemEssentials

/// Ctrl-C in the middle of several files: the one in progress is finished, the rest is left.
///
/// A second Ctrl-C ends the program at once, and so does the first one outside of
/// ``finishingCurrent(_:)``.
enum Interruption {
  /// Runs `work`, which looks at ``hasCome`` before each file.
  static func finishingCurrent(_ work: () throws -> Void) rethrows {
    PartFile.finishOnInterrupt(true)
    defer { PartFile.finishOnInterrupt(false) }
    try work()
  }

  /// Ctrl-C ends a stream: from now on the first one is only counted.
  static func finishesOnFirst() { PartFile.finishOnInterrupt(true) }

  static var hasCome: Bool { PartFile.isInterrupted }

  /// If Ctrl-C has come, prints how many photos are done and throws ``RunStatus/interrupted``.
  static func endIfCome(done: Int, of total: Int) throws {
    guard hasCome else { return }
    Console.note(
      "interrupted, \(done) of \(total) photos are done; \(Console.continuation)")
    throw RunStatus.interrupted
  }
}

/// The signals that end a server: they are taken by ``wait()`` instead of ending the program. One that was ignored at the
/// start, as SIGHUP under `nohup`, stays ignored.
struct EndSignals {
  private var signals = sigset_t()

  /// Must come before any thread begins that takes signals, since threads inherit what is blocked; an `OwnThread` blocks all.
  init(_ numbers: [Int32] = [SIGINT, SIGTERM, SIGHUP]) {
    unsafe sigemptyset(&signals)
    // A blocked signal is queued even where it is ignored, and would be taken.
    for number in numbers where !PartFile.isIgnored(number) {
      unsafe sigaddset(&signals, number)
    }
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Waits for one of them.
  ///
  /// - Returns: Its number.
  func wait() -> Int32 {
    var (signals, number) = (signals, Int32(0))
    while unsafe sigwait(&signals, &number) != 0 {}
    return number
  }

  /// Ends the program by one of them, on a thread of its own, after some work.
  func ending(after work: @escaping @Sendable () -> Void) {
    let isTaken = OwnThread.start {
      let number = wait()
      work()
      restore()
      raise(number)
    }
    if !isTaken { restore() }
  }

  /// Lets the signals end the program again.
  func restore() {
    var signals = signals
    unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }
}
