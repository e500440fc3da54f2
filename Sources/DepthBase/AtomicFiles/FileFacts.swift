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
