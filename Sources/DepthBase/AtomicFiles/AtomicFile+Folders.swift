import DepthErrors
package import SystemEssentials

extension AtomicFile {
  /// The folder of the file at a path, ending in `/`; empty for the current one.
  package static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
  }

  /// Makes a folder and those above it, where they are missing.
  ///
  /// - Throws: `DepthError` with code `unwritable`.
  package static func makeFolder(_ url: URL) throws {
    do { try makeFolder(atPath: url.path(percentEncoded: false)) } catch let code as FolderFailure {
      throw DepthError.unwritable(
        file: url.relativePath,
        reason: code.errno == EEXIST ? "is a file, expected a folder" : systemReason(code.errno))
    }
  }

  private struct FolderFailure: Error { let errno: Int32 }

  private static func makeFolder(atPath path: String) throws {
    var status = stat()
    if unsafe stat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFDIR else { throw FolderFailure(errno: EEXIST) }
      return
    }
    guard errno == ENOENT else { throw FolderFailure(errno: errno) }
    let trimmed = path.hasSuffix("/") ? path.dropLast() : path[...]
    if let slash = trimmed.lastIndex(of: "/"), slash > trimmed.startIndex {
      try makeFolder(atPath: String(trimmed[..<slash]))
    }
    guard unsafe mkdir(path, 0o777) == 0 || errno == EEXIST else {
      throw FolderFailure(errno: errno)
    }
  }

  /// Whether the path names an open descriptor rather than a file.
  static func isDescriptor(_ path: String) -> Bool {
    path == "/dev/stdin" || path == "/dev/stdout" || path == "/dev/stderr"
      || path.hasPrefix("/dev/fd/") || path.hasPrefix("/proc/self/fd/")
  }
}
