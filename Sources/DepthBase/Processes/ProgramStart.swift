package import SystemEssentials

/// Another program, as it is to be started.
///
/// It gets the signals that this program ignores, `SIGPIPE` and `SIGXFSZ`, in the way that programs rely on, and none of its
/// signals is blocked.
package struct ProgramStart {
  /// Target of one of its standard streams.
  package enum Stream: Sendable {
    /// `/dev/null`.
    case nothing
    /// A descriptor of this program.
    case descriptor(Int32)
  }

  /// The program, which is found on the path, and its arguments.
  package var arguments: [String]
  package var input = Stream.nothing
  package var output = Stream.nothing
  package var errors = Stream.descriptor(STDERR_FILENO)
  /// Variables besides those of this program, or in their place.
  package var environment: [(name: String, value: String)] = []
  /// Whether it gets a process group of its own, which Ctrl-C on a terminal does not reach.
  package var hasOwnGroup = false

  package init(_ arguments: [String]) {
    precondition(!arguments.isEmpty, "no program, expected one")
    self.arguments = arguments
  }

  /// The program of a name on the `PATH`, or at a path; `nil` if there is none, or it cannot be executed.
  package static func path(of name: String) -> String? {
    guard !name.contains("/") else { return isProgram(name) ? name : nil }
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/bin:/usr/bin"
    // An empty part is the current folder.
    return path.split(separator: ":", omittingEmptySubsequences: false)
      .map { $0.isEmpty ? "./\(name)" : "\($0)/\(name)" }.first(where: isProgram)
  }

  private static func isProgram(_ path: String) -> Bool {
    var status = stat()
    return unsafe access(path, X_OK) == 0 && stat(path, &status) == 0
      && status.st_mode & S_IFMT == S_IFREG
  }

  /// Starts it.
  ///
  /// - Returns: The process, which the caller has to wait for.
  /// - Throws: `SystemFailure` where it cannot be started.
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
        // Also of a descriptor to itself: it is then not closed at the start.
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

  /// `NAME=value` of every variable that it gets, for the caller to free.
  private func copiedVariables() -> [UnsafeMutablePointer<CChar>?] {
    #if canImport(Darwin)
      guard let environ = unsafe _NSGetEnviron().pointee else { return [] }
    #endif
    var variables: [UnsafeMutablePointer<CChar>?] = unsafe []
    var index = 0
    // Bytes that are no UTF-8 stay as they are.
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
