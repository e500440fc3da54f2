import DepthErrors
import Synchronization
import SystemEssentials

/// A child process with pipes to some of its standard streams.
///
/// The child has its own process group, so Ctrl-C on a terminal reaches only this program, which then ends the
/// child.
@safe
package final class ChildProcess: Sendable {
  /// The connection of a standard stream.
  package enum Stream: Sendable {
    case nothing, pipe
  }

  let pid: pid_t
  let name: String
  /// The parent's ends of standard input and output; -1 without a pipe.
  private let input: Mutex<Int32>
  package let output: Int32
  let lines: Monitor<Lines>
  let status = Mutex<Int32?>(nil)

  /// Lines on standard error.
  struct Lines: Sendable {
    /// The last lines that no reader has taken.
    var last: [String] = []
    var hasEnded = false
  }

  /// Starts a program from the PATH.
  ///
  /// - Parameters:
  ///   - take: Receives each line of standard error on a separate thread; returns `false` for a message to keep.
  /// - Throws: `DepthError` if the program cannot be started.
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
    // The pipe is nonblocking, so that a hanging program does not block the writing thread.
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
      throw DepthError(.insufficientMemory, "no thread can be started to read from \(name)")
    }
  }

  deinit {
    end()
    if output >= 0 { close(output) }
  }

  /// Kills the program unless it has ended. Other threads may concurrently write to the program or wait for its
  /// end.
  package func end() {
    status.withLock { status in
      if status == nil { kill(pid, SIGKILL) }
    }
    _ = awaitEnd()
    closeInput()
  }

  /// Closes standard input, after the write in progress.
  package func closeInput() {
    input.withLock { descriptor in
      if descriptor >= 0 { close(descriptor) }
      descriptor = -1
    }
  }

  /// Writes to standard input.
  ///
  /// - Returns: `false` if the program accepts no more input.
  package func write(_ bytes: [UInt8]) -> Bool {
    // The lock prevents a concurrent close, after which the descriptor's number may belong to another file.
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

  /// Reads all of standard output.
  package func readAll() -> [UInt8] {
    var bytes: [UInt8] = []
    forEachPiece { bytes += $0 }
    return bytes
  }

  /// The last messages on standard error.
  package var messages: [String] { lines.read { $0.last } }

  /// A line without ffmpeg's prefix: `[h264 @ 0x55] [error] text`.
  package static func plain(_ line: String) -> String {
    var rest = line[...]
    while rest.hasPrefix("["), let end = rest.firstIndex(of: "]") {
      rest = rest[rest.index(after: end)...].drop { $0 == " " }
    }
    return String(rest)
  }
}
