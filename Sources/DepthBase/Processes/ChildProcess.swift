import DepthErrors
import Synchronization
import SystemEssentials

/// A program that runs beside this one, with pipes to some of its streams.
///
/// It has a process group of its own, so that Ctrl-C on a terminal reaches this program alone, which ends it in its
/// own way.
@safe
package final class ChildProcess: Sendable {
  /// Connection of a stream.
  package enum Stream: Sendable {
    case nothing, pipe
  }

  let pid: pid_t
  /// The program's name.
  let name: String
  /// Our ends of its standard input and output; -1 without one.
  private let input: Mutex<Int32>
  package let output: Int32
  let lines: Monitor<Lines>
  let status = Mutex<Int32?>(nil)

  /// Its lines on standard error.
  struct Lines: Sendable {
    /// The last lines, which no reader has taken.
    var last: [String] = []
    var hasEnded = false
  }

  /// Starts a program that is found on the path.
  ///
  /// - Parameters:
  ///   - take: Gets each line of standard error, on a thread of its own; `false` for a line that is a message.
  /// - Throws: `DepthError` where it cannot be started.
  package init(
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
  package func end() {
    status.withLock { status in
      if status == nil { kill(pid, SIGKILL) }
    }
    _ = awaitEnd()
    closeInput()
  }

  /// Ends its input, after what is being written.
  package func closeInput() {
    input.withLock { descriptor in
      if descriptor >= 0 { close(descriptor) }
      descriptor = -1
    }
  }

  /// Writes to its standard input.
  ///
  /// - Returns: `false` where it takes no more.
  package func write(_ bytes: [UInt8]) -> Bool {
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

  /// All that it writes to its standard output.
  package func readAll() -> [UInt8] {
    var bytes: [UInt8] = []
    forEachPiece { bytes += $0 }
    return bytes
  }

  /// The last lines that it said.
  package var messages: [String] { lines.read { $0.last } }

  /// A line without what ffmpeg puts before it: `[h264 @ 0x55] [error] text`.
  package static func plain(_ line: String) -> String {
    var rest = line[...]
    while rest.hasPrefix("["), let end = rest.firstIndex(of: "]") {
      rest = rest[rest.index(after: end)...].drop { $0 == " " }
    }
    return String(rest)
  }
}
