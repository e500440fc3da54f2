import SystemEssentials

/// The state of a file for detecting changes: its length, its modification time and its change time.
///
/// Programs cannot set the change time back. A copied file with an old modification time therefore also counts as changed.
package struct FileState: Sendable {
  package let bytes: Int
  private let modified, changed: [Int]
  private let names: Int

  /// - Returns: `nil` on failure, with the reason in `errno`.
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

  /// Whether the content is the same as in an earlier state.
  ///
  /// Replacing this file's name by another file changes the number of links and the change time, but not the content.
  package func hasContent(of before: FileState) -> Bool {
    bytes == before.bytes && modified == before.modified
      && (changed == before.changed || names != before.names)
  }
}
