import DepthBase
import DepthErrors
import Synchronization
import SystemEssentials

/// A program that runs beside this one, with pipes to some of its streams.
///
/// It has a process group of its own, so that Ctrl-C on a terminal reaches this program alone, which ends it in its
/// own way.
@safe
final class ChildProcess: Sendable {
  /// What to do with a stream.
  enum Stream: Sendable {
    case nothing, pipe
  }

  private let pid: pid_t
  /// The program's name.
  let name: String
  /// Our ends of its standard input and output; -1 without one.
  private let input: Mutex<Int32>
  let output: Int32
  private let lines: Monitor<Lines>
  private let status = Mutex<Int32?>(nil)

  /// Its lines on standard error.
  private struct Lines: Sendable {
    /// The last lines, which no reader has taken.
    var last: [String] = []
    var hasEnded = false
  }

  /// Starts a program that is found on the path.
  ///
  /// - Parameters:
  ///   - take: Gets each line of standard error, on a thread of its own; `false` for a line that is a message.
  /// - Throws: `DepthError` where it cannot be started.
  init(
    _ name: String, _ arguments: [String], input: Stream = .nothing, output: Stream = .nothing,
    take: @escaping @Sendable (String) -> Bool = { _ in false }
  ) throws {
    self.name = name
    var pipes: [(read: Int32, write: Int32)] = []
    func failure(_ code: Int32) -> DepthError {
      for pipe in pipes {
        close(pipe.read)
        close(pipe.write)
      }
      return DepthError(
        .insufficientMemory, "\(name) cannot be started: \(systemReason(code))",
        cause: SystemFailure(code))
    }
    for _ in 0..<3 {
      guard let pipe = OwnDescriptor.pipe() else { throw failure(errno) }
      pipes.append(pipe)
    }
    var program = ProgramStart([name] + arguments)
    program.input = input == .pipe ? .descriptor(pipes[0].read) : .nothing
    program.output = output == .pipe ? .descriptor(pipes[1].write) : .nothing
    program.errors = .descriptor(pipes[2].write)
    program.hasOwnGroup = true
    do { pid = try program.start() } catch { throw failure(error.code) }
    close(pipes[0].read)
    close(pipes[1].write)
    close(pipes[2].write)
    if input == .nothing { close(pipes[0].write) }
    if output == .nothing { close(pipes[1].read) }
    self.input = Mutex(input == .pipe ? pipes[0].write : -1)
    // A program that hangs must not keep the thread that writes to it.
    if input == .pipe {
      _ = fcntl(pipes[0].write, F_SETFL, fcntl(pipes[0].write, F_GETFL) | O_NONBLOCK)
    }
    self.output = output == .pipe ? pipes[1].read : -1
    let lines = Monitor(Lines())
    self.lines = lines
    let errors = pipes[2].read
    let hasThread = OwnThread.start {
      var source = LineSource(descriptor: errors)
      while let line = source.next() {
        guard !take(line), !line.isEmpty else { continue }
        lines.update { lines in
          lines.last.append(line)
          if lines.last.count > 20 { lines.last.removeFirst() }
        }
      }
      close(errors)
      lines.update { $0.hasEnded = true }
    }
    guard hasThread else {
      close(errors)
      lines.update { $0.hasEnded = true }
      end()
      throw DepthError(.insufficientMemory, "the system cannot start a thread to listen to \(name)")
    }
  }

  deinit {
    end()
    if output >= 0 { close(output) }
  }

  /// Ends the program by force, unless it has ended; also while another thread writes to it or waits for its end.
  func end() {
    status.withLock { status in
      if status == nil { kill(pid, SIGKILL) }
    }
    _ = awaitEnd()
    closeInput()
  }

  /// Ends its input, after what is being written.
  func closeInput() {
    input.withLock { descriptor in
      if descriptor >= 0 { close(descriptor) }
      descriptor = -1
    }
  }

  /// Writes to its standard input.
  ///
  /// - Returns: `false` where it takes no more.
  func write(_ bytes: [UInt8]) -> Bool {
    // The lock is kept, so that the number cannot become another file's meanwhile.
    input.withLock { descriptor in
      guard descriptor >= 0 else { return false }
      var done = 0
      while done < bytes.count {
        let count = unsafe bytes.withUnsafeBytes {
          unsafe SystemEssentials.write(
            descriptor, $0.baseAddress.map { unsafe $0 + done }, bytes.count - done)
        }
        if count >= 0 {
          done += count
        } else if errno == EAGAIN {
          guard takesBytes(descriptor) else { return false }
        } else if errno != EINTR {
          return false
        }
      }
      return true
    }
  }

  /// Waits until its input takes more.
  ///
  /// - Returns: `false` where it takes none for seconds after Ctrl-C: it hangs, and is ended.
  private func takesBytes(_ input: Int32) -> Bool {
    var patience = Self.patience
    while true {
      var wanted = pollfd(fd: input, events: Int16(POLLOUT), revents: 0)
      if unsafe poll(&wanted, 1, Int32(Self.pause / .milliseconds(1))) > 0 { return true }
      guard goesOn(&patience) else { return false }
    }
  }

  /// Time between two looks for Ctrl-C, and the time that a program has after it.
  private static let (pause, patience) = (Duration.milliseconds(100), Duration.seconds(5))

  /// Whether to wait on after a pause; ends the program by force where it has had its time since Ctrl-C.
  private func goesOn(_ patience: inout Duration) -> Bool {
    guard Interruption.hasCome else { return true }
    patience -= Self.pause
    guard patience <= .zero else { return true }
    status.withLock { if $0 == nil { kill(pid, SIGKILL) } }
    return false
  }

  /// All that it writes to its standard output.
  func readAll() -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe buffer.withUnsafeMutableBytes {
        unsafe read(output, $0.baseAddress, $0.count)
      }
      if count > 0 { bytes += buffer[..<count] } else if count == 0 || errno != EINTR { break }
    }
    return bytes
  }

  /// Waits for its end.
  ///
  /// - Parameter patience: The time that it has after Ctrl-C.
  /// - Returns: Its exit status; 128 and the signal where one ended it.
  func finish(patience: Duration = .seconds(5)) -> Int32 {
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
  func endingSignal(within time: Duration) -> Int32? {
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
  private func awaitEnd() -> Int32 {
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

  /// The last lines that it said.
  var messages: [String] { lines.read { $0.last } }
}

/// Lines of a descriptor.
@safe
private struct LineSource {
  let descriptor: Int32
  private var rest: [UInt8] = []
  private var hasEnded = false

  init(descriptor: Int32) { self.descriptor = descriptor }

  /// The next line without its end, which may be a carriage return; `nil` at the end.
  mutating func next() -> String? {
    while true {
      if let end = rest.firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) {
        let line = String(decoding: rest[..<end], as: UTF8.self)
        rest.removeFirst(end + 1)
        return line
      }
      guard !hasEnded else {
        defer { rest = [] }
        return rest.isEmpty ? nil : String(decoding: rest, as: UTF8.self)
      }
      var buffer = [UInt8](repeating: 0, count: 4096)
      let count = unsafe buffer.withUnsafeMutableBytes {
        unsafe read(descriptor, $0.baseAddress, $0.count)
      }
      if count > 0 {
        rest += buffer[..<count]
      } else if count == 0 || errno != EINTR {
        hasEnded = true
      }
      // No line is that long.
      if rest.count > 1 << 20 { rest = [] }
    }
  }
}
