import AtomicFiles
import SystemEssentials

/// The record of a run, and of the runs that it resumes: one line per photo, in the photos' order.
package struct Manifest: Sendable {
  private let log: LineLog
  /// Photos whose last line has no error.
  private let finished: Set<String>

  /// Opens a manifest that may have lines already.
  ///
  /// - Throws: `DepthError` with code `unwritable` or `unreadable`.
  package init(appendingTo path: String) throws {
    let url = URL(filePath: path)
    log = try LineLog(appendingTo: url)
    var finished: Set<String> = []
    if FileFacts(of: url) != nil {
      try LineLog.forEachLine(of: url) { bytes in
        guard let line = ManifestLine.Entry(String(decoding: bytes, as: UTF8.self)) else { return }
        if line.error == nil { finished.insert(line.path) } else { finished.remove(line.path) }
      }
    }
    self.finished = finished
  }

  /// Appends a line; none for a photo that is skipped and has its line already.
  ///
  /// - Throws: `DepthError` with code `unwritable`, also when the disk is full.
  package func append(_ line: ManifestLine) throws {
    if line.skipped == true, finished.contains(line.path) { return }
    try log.append(String(jsonLine(line).dropLast()))
  }
}
