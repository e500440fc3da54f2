import DepthBase
import DepthErrors
import SystemEssentials

/// Runs a program on events, one at a time and not too often.
struct CommandRunner {
  private let arguments: [String]
  /// Least seconds between two starts.
  private let interval: Double
  private let now: () -> ContinuousClock.Instant
  private var lastStart: ContinuousClock.Instant?
  /// The program that was started last, until it is known to have ended.
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

  /// Fails if there is no such program, which would otherwise be found out at the first event.
  ///
  /// - Throws: `DepthError`.
  func check() throws {
    let name = arguments[0]
    guard ProgramStart.path(of: name) == nil else { return }
    let reason =
      !name.contains("/")
      ? "no program of this name is on the PATH, expected one, or its path"
      : unsafe access(name, X_OK) == 0
        ? "is not a file, expected a program" : "\(systemReason()), expected a program"
    throw DepthError.unreadable(file: "--exec \(name)", reason: reason)
  }

  /// From now on the system keeps no entry of a program that has ended, also while this process waits for a frame and
  /// cannot ask for it. This is for all programs that it starts.
  static func forgetsEndedPrograms() {
    var action = sigaction()
    action.sa_flags = SA_NOCLDWAIT
    unsafe sigaction(SIGCHLD, &action, nil)
  }

  /// Notes whether the program has ended, which frees its entry in the system's table.
  mutating func reap() {
    guard let running = child else { return }
    var status: Int32 = 0
    if unsafe waitpid(running, &status, WNOHANG) != 0 { child = nil }
  }

  /// Starts the program, unless it still runs or was started a moment ago.
  ///
  /// Its standard input is empty and its standard output goes to standard error, so that it cannot mix its
  /// text with events. Failing to start is one line on standard error.
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

/// The arguments of a command line as a shell would split them, without anything else that a shell does.
///
/// Spaces separate arguments. Between single quotes every character counts as itself, between double quotes every one
/// but `\` before `"` or `\`; outside of quotes `\` makes the next character count as itself.
///
/// - Returns: `nil` where a quote or the character after a `\` is missing.
func shellArguments(_ command: String) -> [String]? {
  var arguments: [String] = []
  var word: String?
  /// The quote that is open.
  var quote: Character?
  var rest = command[...]
  while let character = rest.popFirst() {
    if character == "\\", quote != "'" {
      // Between double quotes only these two are escaped.
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
