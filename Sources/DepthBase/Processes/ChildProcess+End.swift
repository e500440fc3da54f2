import Synchronization
import SystemEssentials

/// Waiting for the end of a program. After Ctrl-C, a program has a grace period. A program that is still running after
/// this period is killed.
extension ChildProcess {
  /// Waits until the program can receive more input.
  ///
  /// - Returns: `false` if the program accepts no input for seconds after Ctrl-C and is therefore killed.
  func takesBytes(_ input: Int32) -> Bool {
    var patience = Self.patience
    while true {
      var wanted = pollfd(fd: input, events: Int16(POLLOUT), revents: 0)
      if unsafe poll(&wanted, 1, Int32(Self.pause / .milliseconds(1))) > 0 { return true }
      guard goesOn(&patience) else { return false }
    }
  }

  /// Reads standard output until its end, and passes each piece to `body`.
  ///
  /// - Parameter patience: Time after Ctrl-C in which the program must write something.
  package func forEachPiece(
    patience: Duration = patience, _ body: ([UInt8]) throws -> Void
  ) rethrows {
    var patience = patience
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      var wanted = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
      // After a signal interrupts the wait, there may be nothing to read.
      guard unsafe poll(&wanted, 1, Int32(Self.pause / .milliseconds(1))) > 0 else {
        _ = goesOn(&patience)
        continue
      }
      let count = unsafe buffer.withUnsafeMutableBytes {
        unsafe read(output, $0.baseAddress, $0.count)
      }
      if count > 0 {
        try body(Array(buffer[..<count]))
      } else if count == 0 || errno != EINTR {
        break
      }
    }
  }

  /// The interval at which Ctrl-C is polled, and the grace period of a program after Ctrl-C.
  package static let (pause, patience) = (Duration.milliseconds(100), Duration.seconds(5))

  /// Whether to continue waiting after a pause. Kills the program at the end of its grace period.
  private func goesOn(_ patience: inout Duration) -> Bool {
    guard PartFile.isInterrupted else { return true }
    patience -= Self.pause
    guard patience <= .zero else { return true }
    status.withLock { if $0 == nil { kill(pid, SIGKILL) } }
    return false
  }

  /// Waits for the end of the program.
  ///
  /// - Parameter patience: The grace period after Ctrl-C.
  /// - Returns: The exit status, or 128 plus the number of the signal that ended the program.
  package func finish(patience: Duration = .seconds(5)) -> Int32 {
    // The program's standard error is closed when the program ends. A hanging program is killed some time after
    // Ctrl-C.
    var patience = patience
    while lines.wait(upTo: Self.pause, until: { $0.hasEnded ? () : nil }) == nil, isRunning,
      goesOn(&patience)
    {}
    let result = awaitEnd()
    // Remaining messages are in the pipe. A process that the program left behind may keep the pipe open forever.
    _ = lines.wait(upTo: .seconds(5)) { $0.hasEnded ? () : nil }
    return result
  }

  /// The signal that ended the program; `nil` for a normal exit, and for a program still running after `time`.
  package func endingSignal(within time: Duration) -> Int32? {
    // The system closes the program's standard error before it reports the end.
    guard lines.wait(upTo: time, until: { $0.hasEnded ? () : nil }) != nil else { return nil }
    let status = awaitEnd()
    return status > 128 ? status - 128 : nil
  }

  /// Whether the program has not ended.
  private var isRunning: Bool {
    status.withLock { status in
      guard status == nil else { return false }
      var info = unsafe siginfo_t()
      return unsafe waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT | WNOHANG) == 0
        && info.si_signo == 0
    }
  }

  /// Waits for the program's end without the lock, which ``end()`` needs.
  func awaitEnd() -> Int32 {
    // After the child has been reaped, its process ID may belong to another process.
    if let known = status.withLock(\.self) { return known }
    // The process ID stays reserved until the lock is taken, so that no signal reaches another program.
    var info = unsafe siginfo_t()
    while unsafe waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT) < 0, errno == EINTR {}
    return status.withLock { status in
      let result = status ?? Self.reap(pid)
      status = result
      return result
    }
  }

  private static func reap(_ pid: pid_t) -> Int32 {
    var status: Int32 = 0
    while unsafe waitpid(pid, &status, 0) < 0 { guard errno == EINTR else { return 127 } }
    let signal = status & 0x7F
    return signal == 0 ? status >> 8 & 0xFF : 128 + signal
  }
}
