import DepthErrors
import SystemEssentials

/// Why a file or a folder cannot be made in its folder.
struct FolderFailure: Error {
  private let failure: SystemFailure
  /// A sentence that names the folder if that is what has to change.
  let reason: String

  /// - Parameters:
  ///   - path: What should have been made.
  ///   - failure: That of the call that should have made it.
  init(making path: String, _ failure: SystemFailure = SystemFailure()) {
    self.failure = failure
    let folder = Self.folder(of: path)
    switch failure.code {
    case ENOENT where unsafe access(folder.systemPath, F_OK) != 0:
      reason = "the folder \(folder) does not exist"
    // The folders of /proc, for example.
    case ENOENT: reason = "the folder \(folder) cannot be written to: no file can be made there"
    case EACCES, EPERM, EROFS:
      reason = "the folder \(folder) cannot be written to: \(systemReason(failure.code))"
    default: reason = systemReason(failure.code)
    }
  }

  /// The failure to write a file.
  func unwritable(_ url: URL) -> DepthError {
    DepthError(.unwritable, file: url.relativePath, reason, cause: failure)
  }

  /// `a/b` for `a/b/c` and `a/b/c/`, `.` for `c`.
  private static func folder(of path: String) -> String {
    let name = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    let folder = AtomicFile.folder(of: name)
    return folder.isEmpty ? "." : folder.count > 1 ? String(folder.dropLast()) : folder
  }
}
