import DepthErrors
package import SystemEssentials

/// The folders that a run creates. Empty folders are removed at the run's end, unless the run has succeeded.
package final class MadeFolders: Sendable {
  private let paths = Monitor<[String]>([])

  package init() {}

  /// Creates a folder and its missing parents.
  ///
  /// - Throws: `DepthError` with code `unwritable`.
  package func make(_ url: URL) throws {
    try AtomicFile.makeFolder(url) { path in paths.update { $0.append(path) } }
  }

  /// Keeps all folders, including empty folders.
  package func keep() { paths.update { $0 = [] } }

  deinit {
    // The outermost folder was created first. Nonempty folders remain.
    for path in paths.read(\.self).reversed() { unsafe rmdir(path.systemPath) }
  }
}

extension AtomicFile {
  /// The folder of the file at a path, ending in `/`; empty for the current folder.
  package static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
  }

  /// Creates a folder and its missing parents.
  ///
  /// - Parameter made: Called with the path of each created folder, outermost first.
  /// - Throws: `DepthError` with code `unwritable`.
  package static func makeFolder(_ url: URL, made: (String) -> Void = { _ in }) throws {
    do { try makeFolder(atPath: url.path(percentEncoded: false), made) } catch {
      switch error {
      case let error as FolderFailure: throw error.unwritable(url)
      case let error as SystemFailure:
        throw DepthError.unwritable(
          file: url.relativePath,
          reason: error.code == EEXIST ? "is a file, expected a folder" : systemReason(error.code))
      default: throw error
      }
    }
  }

  private static func makeFolder(atPath path: String, _ made: (String) -> Void) throws {
    var status = stat()
    if unsafe stat(path.systemPath, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFDIR else { throw SystemFailure(EEXIST) }
      return
    }
    guard errno == ENOENT else { throw SystemFailure() }
    let trimmed = path.hasSuffix("/") ? path.dropLast() : path[...]
    if let slash = trimmed.lastIndex(of: "/"), slash > trimmed.startIndex {
      try makeFolder(atPath: String(trimmed[..<slash]), made)
    }
    if unsafe mkdir(path.systemPath, 0o777) == 0 { return made(path) }
    guard errno == EEXIST else { throw FolderFailure(making: path) }
  }

  /// Whether the path names an open descriptor rather than a file.
  static func isDescriptor(_ path: String) -> Bool {
    path == "/dev/stdin" || path == "/dev/stdout" || path == "/dev/stderr"
      || path.hasPrefix("/dev/fd/") || path.hasPrefix("/proc/self/fd/")
  }
}
