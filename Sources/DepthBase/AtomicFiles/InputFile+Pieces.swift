import DepthErrors
package import SystemEssentials

extension InputFile {
  /// Hands a file's bytes to `body` in pieces of at most `size`, so that a long file needs little
  /// memory.
  ///
  /// - Throws: `DepthError` with code `unreadable`, and what `body` throws.
  /// - Precondition: `size` is positive.
  package static func forEachPiece(
    of url: URL, size: Int = 1 << 20, _ body: ([UInt8]) throws -> Void
  ) throws {
    precondition(size > 0, "pieces of \(size) bytes, expected at least 1")
    func failure() -> DepthError {
      .unreadable(file: url.relativePath, reason: systemReason())
    }
    let descriptor = unsafe open(url.path(percentEncoded: false), O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure() }
    defer { close(descriptor) }
    while true {
      let piece = try unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
        repeat {
          count = unsafe read(descriptor, buffer.baseAddress, size)
        } while count < 0 && errno == EINTR
        guard count >= 0 else {
          count = 0
          throw failure()
        }
      }
      guard !piece.isEmpty else { return }
      try body(piece)
    }
  }
}
