package import SystemEssentials

/// The file system's record of an ordinary file.
package struct FileFacts: Hashable, Sendable {
  /// Length in bytes.
  package let bytes: Int
  /// Modification time of the content, in nanoseconds since 1970. Programs can set it.
  package let modified: Int
  /// Time of the last change of any kind, in nanoseconds since 1970, by this machine's clock.
  package let changed: Int

  /// The facts of a file, with links followed; `nil` unless it is an existing ordinary file.
  package init?(of url: URL) {
    var status = stat()
    guard unsafe stat(url.path(percentEncoded: false).systemPath, &status) == 0,
      status.st_mode & S_IFMT == S_IFREG
    else { return nil }
    bytes = Int(status.st_size)
    #if canImport(Darwin)
      (modified, changed) = (status.st_mtimespec.nanoseconds, status.st_ctimespec.nanoseconds)
    #else
      (modified, changed) = (status.st_mtim.nanoseconds, status.st_ctim.nanoseconds)
    #endif
  }
}

extension timespec {
  /// Nanoseconds since 1970, clamped to 64 bits.
  fileprivate var nanoseconds: Int {
    let (whole, overflows) = Int(tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, exceeds) = whole.addingReportingOverflow(Int(tv_nsec))
    return overflows || exceeds ? (tv_sec < 0 ? .min : .max) : sum
  }
}
