import SystemEssentials

/// Standard input, output and error, which a caller may have closed (`2>&-`).
enum StandardStreams {
  /// Opens `/dev/null` in place of each that is closed.
  ///
  /// The next file would get the closed one's number otherwise, and a message its bytes. Reading what was closed
  /// for reading, and writing to what was closed for writing, still fails.
  static func openMissing() {
    for (descriptor, mode) in [
      (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY),
    ] where fcntl(descriptor, F_GETFD) < 0 {
      // The lowest free number, which is this one's, since those before it are open.
      _ = unsafe open("/dev/null", mode)
    }
  }
}
