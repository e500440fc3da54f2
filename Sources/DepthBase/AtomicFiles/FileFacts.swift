package import SystemEssentials

/// What the file system records of an ordinary file.
package struct FileFacts: Hashable, Sendable {
  /// Its length in bytes.
  package let bytes: Int
  /// When its content was last written, in nanoseconds since 1970.
  package let modified: Int

  /// The facts of a file, links followed; `nil` where there is none, and for anything but an ordinary file.
  package init?(of url: URL) {
    var status = stat()
    guard unsafe stat(url.path(percentEncoded: false), &status) == 0,
      status.st_mode & S_IFMT == S_IFREG
    else { return nil }
    bytes = Int(status.st_size)
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    modified = Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec)
  }
}

/// The identity of a file behind its names: path variants, symbolic links and hard links of one
/// file are equal, whether the file exists or not.
package enum FileIdentity: Hashable, Sendable {
  /// A file that exists.
  case existing(device: UInt64, number: UInt64)
  /// A file that does not exist yet, by its absolute path without symbolic links.
  case path(String)

  /// The identity of a regular file, or of one that does not exist yet; `nil` for devices, pipes,
  /// folders and the descriptors under `/dev/fd`, which take any number of writers.
  package init?(of url: URL) {
    let path = url.path(percentEncoded: false)
    guard !AtomicFile.isDescriptor(path) else { return nil }
    var status = stat()
    if unsafe stat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFREG else { return nil }
      self = .existing(device: UInt64(status.st_dev), number: UInt64(status.st_ino))
    } else {
      self = .path(Self.resolved(path))
    }
  }

  /// The path with the links of its longest existing part followed.
  private static func resolved(_ path: String) -> String {
    var existing = path
    var rest: [Substring] = []
    while true {
      if let real = unsafe realpath(existing.isEmpty ? "." : existing, nil) {
        defer { unsafe free(real) }
        return unsafe appending(rest.reversed(), to: String(cString: real))
      }
      guard existing != "/", !existing.isEmpty else { return path }
      let trimmed = existing.hasSuffix("/") ? existing.dropLast() : existing[...]
      let slash = trimmed.lastIndex(of: "/")
      rest.append(slash.map { trimmed[trimmed.index(after: $0)...] } ?? trimmed)
      existing = slash.map { $0 == trimmed.startIndex ? "/" : String(trimmed[..<$0]) } ?? ""
    }
  }

  private static func appending(_ names: [Substring], to folder: String) -> String {
    var parts = folder.split(separator: "/")
    for name in names where !name.isEmpty && name != "." {
      if name == ".." { _ = parts.popLast() } else { parts.append(name) }
    }
    return "/" + parts.joined(separator: "/")
  }
}

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
