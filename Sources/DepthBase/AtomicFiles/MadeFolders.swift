package import SystemEssentials

/// The folders that a run makes for its files. Empty ones are removed at its end, unless the run has succeeded.
package final class MadeFolders: Sendable {
  private let paths = Monitor<[String]>([])

  package init() {}

  /// Makes a folder and those above it, where they are missing.
  ///
  /// - Throws: `DepthError` with code `unwritable`.
  package func make(_ url: URL) throws {
    try AtomicFile.makeFolder(url) { path in paths.update { $0.append(path) } }
  }

  /// Keeps all folders, empty ones too.
  package func keep() { paths.update { $0 = [] } }

  deinit {
    // The highest was made first. A folder with files in it stays.
    for path in paths.read(\.self).reversed() { unsafe rmdir(path.systemPath) }
  }
}
