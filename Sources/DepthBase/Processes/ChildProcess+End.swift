import Synchronization
import SystemEssentials

/// The end of a program: by itself, after its time since Ctrl-C, or by force.
extension ChildProcess {
  /// Waits until its input takes more.
  ///
  /// - Returns: `false` where it takes none for seconds after Ctrl-C: it hangs, and is ended.
  func takesBytes(_ input: Int32) -> Bool {
    var patience = Self.patience
    while true {
      var wanted = pollfd(fd: input, events: Int16(POLLOUT), revents: 0)
      if unsafe poll(&wanted, 1, Int32(Self.pause / .milliseconds(1))) > 0 { return true }
      guard goesOn(&patience) else { return false }
    }
  }

  /// Calls `body` with each piece of what it writes to its standard output, to the end.
  ///
  /// - Parameter patience: The time that it has after Ctrl-C to write something.
  package func forEachPiece(
    patience: Duration = patience, _ body: ([UInt8]) throws -> Void
  ) rethrows {
    var patience = patience
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      var wanted = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
      // A signal ends the waiting as well, and there is nothing to read then.
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

  /// Time between two looks for Ctrl-C, and the time that a program has after it.
  package static let (pause, patience) = (Duration.milliseconds(100), Duration.seconds(5))

  /// Whether to wait on after a pause; ends the program by force where it has had its time since Ctrl-C.
  private func goesOn(_ patience: inout Duration) -> Bool {
    guard PartFile.isInterrupted else { return true }
    patience -= Self.pause
    guard patience <= .zero else { return true }
    status.withLock { if $0 == nil { kill(pid, SIGKILL) } }
    return false
  }

  /// Waits for its end.
  ///
  /// - Parameter patience: The time that it has after Ctrl-C.
  /// - Returns: Its exit status; 128 and the signal where one ended it.
  package func finish(patience: Duration = .seconds(5)) -> Int32 {
    // Its end closes its messages; what hangs is ended some time after Ctrl-C.
    var patience = patience
    while lines.wait(upTo: Self.pause, until: { $0.hasEnded ? () : nil }) == nil, isRunning,
      goesOn(&patience)
    {}
    let result = awaitEnd()
    // What it has said is in the pipe. A program that it has left behind may keep the pipe open for ever.
    _ = lines.wait(upTo: .seconds(5)) { $0.hasEnded ? () : nil }
    return result
  }

  /// The signal that ended it; `nil` if it ended by itself, or has not ended after a time.
  package func endingSignal(within time: Duration) -> Int32? {
    // The system closes its standard error before it reports its end.
    guard lines.wait(upTo: time, until: { $0.hasEnded ? () : nil }) != nil else { return nil }
    let status = awaitEnd()
    return status > 128 ? status - 128 : nil
  }

  /// Whether it has not ended.
  private var isRunning: Bool {
    status.withLock { status in
      guard status == nil else { return false }
      var info = unsafe siginfo_t()
      return unsafe waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT | WNOHANG) == 0
        && info.si_signo == 0
    }
  }

  /// Waits for its end without the lock, which ``end()`` needs.
  func awaitEnd() -> Int32 {
    // The number of what has been waited for may be another child's.
    if let known = status.withLock(\.self) { return known }
    // Its number stays its own until the lock is taken, so that no signal reaches another program.
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
