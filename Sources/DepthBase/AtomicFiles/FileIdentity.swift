package import SystemEssentials

/// The identity of a file: spellings of a path, symbolic links and hard links of one file are equal.
package enum FileIdentity: Hashable, Sendable {
  /// An existing file.
  case existing(device: UInt64, number: UInt64)
  /// A file that does not exist yet, as its absolute path without symbolic links.
  case path(String)

  /// The identity of a regular or nonexistent file. `nil` for devices, pipes, folders and descriptors, because each of
  /// these may have several writers.
  package init?(of url: URL) {
    let path = url.path(percentEncoded: false)
    guard !AtomicFile.isDescriptor(path) else { return nil }
    var status = stat()
    if unsafe stat(path.systemPath, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFREG else { return nil }
      self = .existing(device: UInt64(status.st_dev), number: UInt64(status.st_ino))
    } else {
      self = .path(Self.resolved(path))
    }
  }

  /// The path with symbolic links resolved in its longest existing part.
  private static func resolved(_ path: String) -> String {
    var existing = path
    var rest: [Substring] = []
    while true {
      if let real = unsafe realpath((existing.isEmpty ? "." : existing).systemPath, nil) {
        defer { unsafe free(real) }
        return unsafe appending(rest.reversed(), to: String(fileNameAt: real))
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
