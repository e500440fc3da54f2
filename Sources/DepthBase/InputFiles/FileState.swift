import SystemEssentials

/// State of a file by which a change is noticed: its length, and the times of its content and of its entry.
///
/// No program can set the time of the entry back, so that a copy that keeps the old time of the content is noticed too.
package struct FileState: Sendable {
  package let bytes: Int
  private let modified, changed: [Int]
  private let names: Int

  /// - Returns: `nil` with the reason in `errno` where the system does not say.
  package init?(of descriptor: Int32) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return nil }
    (bytes, names) = (Int(status.st_size), Int(status.st_nlink))
    #if canImport(Darwin)
      let times = [status.st_mtimespec, status.st_ctimespec]
    #else
      let times = [status.st_mtim, status.st_ctim]
    #endif
    modified = [Int(times[0].tv_sec), Int(times[0].tv_nsec)]
    changed = [Int(times[1].tv_sec), Int(times[1].tv_nsec)]
  }

  /// Whether the content is the same as it was then.
  ///
  /// A new file that takes over the name of this one takes a name from it, which changes the time of the entry and no
  /// byte.
  package func hasContent(of before: FileState) -> Bool {
    bytes == before.bytes && modified == before.modified
      && (changed == before.changed || names != before.names)
  }
}
