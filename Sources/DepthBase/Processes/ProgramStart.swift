package import SystemEssentials

/// The configuration for starting another program.
///
/// The started program has no blocked signals, and the default actions of `SIGPIPE` and `SIGXFSZ`. This program ignores
/// the two signals.
package struct ProgramStart {
  /// The target of a standard stream.
  package enum Stream: Sendable {
    /// `/dev/null`.
    case nothing
    /// A descriptor of this program.
    case descriptor(Int32)
  }

  /// The program, searched on the PATH, and its arguments.
  package var arguments: [String]
  package var input = Stream.nothing
  package var output = Stream.nothing
  package var errors = Stream.descriptor(STDERR_FILENO)
  /// Variables to add or replace in this program's environment.
  package var environment: [(name: String, value: String)] = []
  /// Whether the program has its own process group, which Ctrl-C on a terminal does not reach.
  package var hasOwnGroup = false

  package init(_ arguments: [String]) {
    precondition(!arguments.isEmpty, "no program, expected one")
    self.arguments = arguments
  }

  /// The path of a program on the `PATH`, or the given path; `nil` unless it is executable.
  package static func path(of name: String) -> String? {
    guard !name.contains("/") else { return isProgram(name) ? name : nil }
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/bin:/usr/bin"
    // An empty part means the current folder.
    return path.split(separator: ":", omittingEmptySubsequences: false)
      .map { $0.isEmpty ? "./\(name)" : "\($0)/\(name)" }.first(where: isProgram)
  }

  private static func isProgram(_ path: String) -> Bool {
    var status = stat()
    return unsafe access(path, X_OK) == 0 && stat(path, &status) == 0
      && status.st_mode & S_IFMT == S_IFREG
  }

  /// Starts the program.
  ///
  /// - Returns: The process, which the caller must wait for.
  /// - Throws: `SystemFailure` if the program cannot be started.
  package func start() throws(SystemFailure) -> pid_t {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = unsafe posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    for (number, stream) in [
      (STDIN_FILENO, input), (STDOUT_FILENO, output), (STDERR_FILENO, errors),
    ] {
      switch stream {
      case .nothing:
        unsafe posix_spawn_file_actions_addopen(
          &actions, number, "/dev/null", number == STDIN_FILENO ? O_RDONLY : O_WRONLY, 0)
      case .descriptor(let descriptor):
        // Duplicating a descriptor to itself clears its close-on-exec flag.
        unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, number)
      }
    }
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var defaults = sigset_t()
    unsafe sigemptyset(&defaults)
    unsafe sigaddset(&defaults, SIGPIPE)
    unsafe sigaddset(&defaults, SIGXFSZ)
    unsafe posix_spawnattr_setsigdefault(&attributes, &defaults)
    var nothingBlocked = sigset_t()
    unsafe sigemptyset(&nothingBlocked)
    unsafe posix_spawnattr_setsigmask(&attributes, &nothingBlocked)
    unsafe posix_spawnattr_setpgroup(&attributes, 0)
    let group = hasOwnGroup ? POSIX_SPAWN_SETPGROUP : 0
    unsafe posix_spawnattr_setflags(
      &attributes, Int16(group | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    var pointers: [UnsafeMutablePointer<CChar>?] =
      unsafe arguments.map { unsafe strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] = unsafe copiedVariables() + [nil]
    let texts = unsafe pointers + variables
    defer { for index in unsafe texts.indices { unsafe free(texts[index]) } }
    var started = pid_t()
    let code = unsafe posix_spawnp(
      &started, arguments[0], &actions, &attributes, &pointers, &variables)
    guard code == 0 else { throw SystemFailure(code) }
    return started
  }

  /// All variables as `NAME=value`, to be freed by the caller.
  private func copiedVariables() -> [UnsafeMutablePointer<CChar>?] {
    #if canImport(Darwin)
      guard let environ = unsafe _NSGetEnviron().pointee else { return [] }
    #endif
    var variables: [UnsafeMutablePointer<CChar>?] = unsafe []
    var index = 0
    // Copies bytes that are not valid UTF-8 unchanged.
    while let variable = unsafe environ[index] {
      let isOurs = environment.contains {
        unsafe String(cString: variable).hasPrefix("\($0.name)=")
      }
      if !isOurs { unsafe variables.append(strdup(variable)) }
      index += 1
    }
    return unsafe variables + environment.map { unsafe strdup("\($0.name)=\($0.value)") }
  }
}
