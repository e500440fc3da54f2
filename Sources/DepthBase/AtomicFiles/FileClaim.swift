package import SystemEssentials

/// One process's claim to work on a file, which ends with this object and with the process.
///
/// It is an advisory lock (`flock`): nothing is written, and programs that do not ask for it notice nothing.
package final class FileClaim: Sendable {
  private let descriptor: Int32

  /// The outcome of asking for a claim.
  package enum Answer: Sendable {
    case mine(FileClaim)
    /// Another process has it.
    case taken
    /// No such file, or its file system has no locks: it cannot be claimed.
    case none
  }

  private init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// Tries once, without waiting.
  package static func ask(for url: URL) -> Answer {
    // A named pipe would block at the opening.
    let descriptor = unsafe open(
      url.path(percentEncoded: false), O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return .none }
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return .mine(FileClaim(descriptor)) }
    let reason = errno
    close(descriptor)
    return reason == EWOULDBLOCK || reason == EINTR ? .taken : .none
  }
}
