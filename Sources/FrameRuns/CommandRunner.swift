import AtomicFiles
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
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      guard let environ = unsafe _NSGetEnviron().pointee else { return }
    #else
      var actions = unsafe posix_spawn_file_actions_t()
    #endif
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO)
    var arguments: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] = unsafe []
    var index = 0
    while let variable = unsafe environ[index] {
      let isOurs = values.contains { unsafe String(cString: variable).hasPrefix("\($0.name)=") }
      if !isOurs { unsafe variables.append(strdup(variable)) }
      index += 1
    }
    unsafe variables += values.map { unsafe strdup("\($0.name)=\($0.value)") } + [nil]
    let texts = unsafe arguments + variables
    defer { for index in unsafe texts.indices { unsafe free(texts[index]) } }
    var started = pid_t()
    let code = unsafe posix_spawnp(&started, words[0], &actions, nil, &arguments, &variables)
    if code == 0 {
      child = started
    } else {
      Console.note("depth: --exec \(words[0].escapingControls): \(systemReason(code))\n")
    }
  }
}
