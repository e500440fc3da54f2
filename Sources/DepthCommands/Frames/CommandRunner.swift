import DepthBase
import DepthErrors
import SystemEssentials

/// Runs a program on events, one process at a time and with a minimum interval.
struct CommandRunner {
  private let arguments: [String]
  /// Minimum seconds between two starts.
  private let interval: Double
  private let now: () -> ContinuousClock.Instant
  private var lastStart: ContinuousClock.Instant?
  /// The last started process, until it has been reaped.
  private(set) var child: pid_t?

  /// - Parameters:
  ///   - arguments: A program and its arguments.
  ///   - now: Reads the clock that measures the interval.
  init(
    _ arguments: [String], interval: Double,
    now: @escaping () -> ContinuousClock.Instant = { ContinuousClock.now }
  ) {
    precondition(!arguments.isEmpty, "no program, expected one")
    (self.arguments, self.interval, self.now) = (arguments, interval, now)
  }

  /// Fails if the program does not exist. Otherwise only the first event would reveal this.
  ///
  /// - Throws: `DepthError`.
  func check() throws {
    let name = arguments[0]
    guard ProgramStart.path(of: name) == nil else { return }
    let reason =
      !name.contains("/")
      ? "is not on the PATH, expected a program on it or the path of a program"
      : unsafe access(name, X_OK) == 0
        ? "is not a file, expected a program" : "\(systemReason()), expected a program"
    throw DepthError.unreadable(file: "--exec \(name)", reason: reason)
  }

  /// Makes the kernel discard all ended child processes. Otherwise a child would stay a zombie while this process
  /// waits for a frame.
  static func forgetsEndedPrograms() {
    var action = sigaction()
    action.sa_flags = SA_NOCLDWAIT
    unsafe sigaction(SIGCHLD, &action, nil)
  }

  /// Reaps the process if it has ended.
  mutating func reap() {
    guard let running = child else { return }
    var status: Int32 = 0
    if unsafe waitpid(running, &status, WNOHANG) != 0 { child = nil }
  }

  /// Starts the program, unless the program is still running or the interval has not passed.
  ///
  /// The program's standard input is empty. Its standard output is redirected to standard error, so that the output
  /// does not mix with the events. A failed start prints one line on standard error.
  mutating func run(_ values: [(name: String, value: String)]) {
    reap()
    guard child == nil else { return }
    let start = now()
    if let lastStart, start - lastStart < .seconds(interval) { return }
    lastStart = start
    var program = ProgramStart(arguments)
    program.output = .descriptor(STDERR_FILENO)
    program.environment = values
    do { child = try program.start() } catch {
      Console.note("--exec \(arguments[0]): \(systemReason(error.code))")
    }
  }
}

/// Splits a command line into arguments by a shell's quoting rules, without expansions.
///
/// Spaces separate arguments. In single quotes, every character is literal. In double quotes, every character is
/// literal except `\` before `"` or `\`. Outside quotes, `\` makes the next character literal.
///
/// - Returns: `nil` for an unterminated quote or a trailing `\`.
func shellArguments(_ command: String) -> [String]? {
  var arguments: [String] = []
  var word: String?
  var quote: Character?
  var rest = command[...]
  while let character = rest.popFirst() {
    if character == "\\", quote != "'" {
      // In double quotes, `\` escapes only these two characters.
      if quote == nil || rest.first == "\"" || rest.first == "\\" {
        guard let next = rest.popFirst() else { return nil }
        word = (word ?? "") + String(next)
      } else {
        word = (word ?? "") + "\\"
      }
    } else if character == quote {
      quote = nil
    } else if quote == nil, character == "'" || character == "\"" {
      quote = character
      word = word ?? ""
    } else if quote == nil, character.isWhitespace {
      if let word { arguments.append(word) }
      word = nil
    } else {
      word = (word ?? "") + String(character)
    }
  }
  guard quote == nil else { return nil }
  return arguments + (word.map { [$0] } ?? [])
}
