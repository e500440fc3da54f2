import DepthOptions
import PhotoRuns
import SystemEssentials

/// Runs a program on events, one at a time and not too often.
struct CommandRunner {
  private let words: [String]
  /// Least seconds between two runs.
  private let interval: Double
  private var lastTime = -Double.infinity
  private var child: pid_t?

  /// - Parameter words: A program and its arguments.
  init(_ words: [String], interval: Double) {
    precondition(!words.isEmpty, "no program, expected one")
    (self.words, self.interval) = (words, interval)
  }

  /// Starts the program, unless it still runs or has just run.
  ///
  /// Its standard input is empty and its standard output goes to standard error, so that it cannot mix its
  /// text with events. Failing to start is one line on standard error.
  mutating func run(_ values: [(name: String, value: String)], at time: Double) {
    if let running = child {
      var status: Int32 = 0
      guard waitpid(running, &status, WNOHANG) != 0 else { return }
      child = nil
    }
    guard time - lastTime >= interval else { return }
    lastTime = time
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO)
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] = []
    var index = 0
    while let variable = environ[index] {
      let isOurs = values.contains { String(cString: variable).hasPrefix("\($0.name)=") }
      if !isOurs { variables.append(strdup(variable)) }
      index += 1
    }
    variables += values.map { strdup("\($0.name)=\($0.value)") } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var started = pid_t()
    let code = posix_spawnp(&started, words[0], &actions, nil, &arguments, &variables)
    if code == 0 {
      child = started
    } else {
      Console.note(
        "depth: --exec \(words[0].escapingControls): \(String(cString: strerror(code)).lowercased())\n"
      )
    }
  }
}
