package import DepthErrors
import SystemEssentials

/// The `errno` of a failed system call.
package struct SystemFailure: Error {
  package let code: Int32

  package init(_ code: Int32 = errno) { self.code = code }

  /// The failure as an error about a file.
  func depthError(_ code: DepthError.Code, of url: URL) -> DepthError {
    DepthError(code, file: url.relativePath, systemReason(self.code), cause: self)
  }

  /// Whether the same call may succeed later without changes, for example after a full disk, an I/O error, too many open files
  /// or a lack of memory.
  package var isTemporary: Bool {
    [
      ENOSPC, EDQUOT, EIO, EAGAIN, EBUSY, EINTR, EMFILE, ENFILE, ENOMEM, ENOBUFS, ESTALE, ETIMEDOUT,
      ENETDOWN, ENETUNREACH, EHOSTDOWN, EHOSTUNREACH,
    ].contains(code)
  }
}

extension DepthError {
  /// Whether a retry with the same files and options may succeed.
  package var isTemporary: Bool {
    (cause as? SystemFailure)?.isTemporary ?? (cause as? MemoryShortage)?.isTemporary ?? false
  }
}
