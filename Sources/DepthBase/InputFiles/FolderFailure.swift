import DepthErrors
import SystemEssentials

/// The reason why a file or folder cannot be created in its parent folder.
struct FolderFailure: Error {
  private let failure: SystemFailure
  /// A sentence that names the folder if the folder is the cause.
  let reason: String

  /// - Parameters:
  ///   - path: The file or folder to create.
  ///   - failure: The failure of the system call.
  init(making path: String, _ failure: SystemFailure = SystemFailure()) {
    self.failure = failure
    let folder = Self.folder(of: path)
    switch failure.code {
    case ENOENT where unsafe access(folder.systemPath, F_OK) != 0:
      reason = "the folder \(folder) does not exist"
    // This error occurs, for example, in /proc.
    case ENOENT: reason = "the folder \(folder) cannot be written to: no file can be created in it"
    case EACCES, EPERM, EROFS:
      reason = "the folder \(folder) cannot be written to: \(systemReason(failure.code))"
    default: reason = systemReason(failure.code)
    }
  }

  /// The error for a file that cannot be written.
  func unwritable(_ url: URL) -> DepthError {
    DepthError(.unwritable, file: url.relativePath, reason, cause: failure)
  }

  /// The parent folder: `a/b` for `a/b/c` and `a/b/c/`, `.` for `c`.
  private static func folder(of path: String) -> String {
    let name = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    let folder = AtomicFile.folder(of: name)
    return folder.isEmpty ? "." : folder.count > 1 ? String(folder.dropLast()) : folder
  }
}
