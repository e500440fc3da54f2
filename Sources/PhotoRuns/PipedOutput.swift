import AtomicFiles
import DepthErrors
import SystemEssentials

/// The reader of standard output has closed it: the end of the work, not a failure.
package struct ReaderGone: Error {}

/// Standard output of commands that go on until their reader has had enough.
package enum PipedOutput {
  /// - Throws: ``ReaderGone``, or `DepthError` with code `unwritable`.
  package static func write(_ bytes: [UInt8]) throws {
    var done = 0
    while done < bytes.count {
      let count = unsafe bytes.withUnsafeBytes {
        unsafe writeSome(STDOUT_FILENO, UnsafeRawBufferPointer(rebasing: $0[done...]))
      }
      if count >= 0 {
        done += count
      } else if errno == EPIPE {
        throw ReaderGone()
      } else if errno != EINTR {
        let failure = SystemFailure()
        // The cause tells a full disk, which may pass, from what will not.
        throw DepthError(
          .unwritable, file: "standard output", systemReason(failure.code), cause: failure)
      }
    }
  }
}
