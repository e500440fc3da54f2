import AtomicFiles
import DepthPipeline
import PhotoRuns
import SystemEssentials

/// Runs a program on events, one at a time and not too often.
package struct CommandRunner {
  private let words: [String]
  /// Least seconds between two runs.
  private let interval: Double
  private var lastTime = -Double.infinity
  private var child: pid_t?

  /// - Parameter words: A program and its arguments.
  package init(_ words: [String], interval: Double) {
    precondition(!words.isEmpty, "no program, expected one")
    (self.words, self.interval) = (words, interval)
  }

  /// Fails if there is no such program, which would otherwise be found out at the first event.
  ///
  /// - Throws: `InputFailure`.
  package func check() throws {
    let name = words[0]
    let option = "--exec \(name)"
    if name.contains("/") {
      guard unsafe access(name, X_OK) == 0 else {
        throw InputFailure(file: option, reason: "\(systemReason()), expected a program")
      }
      guard Self.isFile(name) else {
        throw InputFailure(file: option, reason: "is not a file, expected a program")
      }
      return
    }
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/bin:/usr/bin"
    let folders = path.split(separator: ":", omittingEmptySubsequences: false)
    // An empty part is the current folder.
    let places = folders.map { $0.isEmpty ? "./\(name)" : "\($0)/\(name)" }
    guard places.contains(where: { unsafe access($0, X_OK) == 0 && Self.isFile($0) }) else {
      throw InputFailure(
        file: option, reason: "no program of this name is on the PATH, expected one, or its path")
    }
  }

  private static func isFile(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Starts the program, unless it still runs or has just run.
  ///
  /// Its standard input is empty and its standard output goes to standard error, so that it cannot mix its
  /// text with events. Failing to start is one line on standard error.
  package mutating func run(_ values: [(name: String, value: String)], at time: Double) {
    if let running = child {
      var status: Int32 = 0
      guard unsafe waitpid(running, &status, WNOHANG) != 0 else { return }
      child = nil
    }
    guard time - lastTime >= interval else { return }
    lastTime = time
    var program = ProgramStart(words)
    program.output = .descriptor(STDERR_FILENO)
    program.environment = values
    do { child = try program.start() } catch {
      Console.note("depth: --exec \(words[0].escapingControls): \(systemReason(error.code))\n")
    }
  }
}
