import DepthErrors
import SystemEssentials

/// The reader of standard output has closed it: the end of the work, not a failure.
package struct ReaderGone: Error {
  package init() {}
}

/// Standard output of commands that go on until their reader has had enough.
package enum PipedOutput {
  /// - Throws: ``ReaderGone``, or `DepthError` with code `unwritable`.
  package static func write(_ bytes: [UInt8]) throws {
    do { try writeAll(bytes.span, to: STDOUT_FILENO) } catch {
      guard error.code != EPIPE else { throw ReaderGone() }
      // The cause tells a full disk, which may pass, from what will not.
      throw DepthError(
        .unwritable, file: "standard output", systemReason(error.code), cause: error)
    }
  }
}
