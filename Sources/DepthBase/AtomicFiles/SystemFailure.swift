package import DepthErrors
import SystemEssentials

/// The `errno` of the call that failed.
package struct SystemFailure: Error {
  package let code: Int32

  package init(_ code: Int32 = errno) { self.code = code }

  /// The failure as the error of a file.
  func depthError(_ code: DepthError.Code, of url: URL) -> DepthError {
    DepthError(code, file: url.relativePath, systemReason(self.code), cause: self)
  }

  /// Whether the same call may succeed later, with nothing changed by its caller: a disk that is full or
  /// does not answer, too many open files, no memory.
  package var isTemporary: Bool {
    [
      ENOSPC, EDQUOT, EIO, EAGAIN, EBUSY, EINTR, EMFILE, ENFILE, ENOMEM, ENOBUFS, ESTALE, ETIMEDOUT,
      ENETDOWN, ENETUNREACH, EHOSTDOWN, EHOSTUNREACH,
    ].contains(code)
  }
}

extension DepthError {
  /// Whether trying again later, with the same files and options, may succeed.
  package var isTemporary: Bool {
    (cause as? SystemFailure)?.isTemporary ?? (cause as? MemoryShortage)?.isTemporary ?? false
  }
}
