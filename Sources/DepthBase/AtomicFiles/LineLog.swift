import DepthErrors
package import SystemEssentials

/// A file to which one or more processes append whole lines.
///
/// Each line is a single write under a lock (`flock`). A line that cannot be written completely is removed. An unfinished
/// line of a killed process is removed when the file is opened next.
package final class LineLog: Sendable {
  private let url: URL
  private let descriptor: Int32

  /// Opens or creates the file, and removes an unfinished last line.
  ///
  /// - Throws: `DepthError` with code `unwritable`.
  package init(appendingTo url: URL) throws {
    self.url = url
    let path = url.path(percentEncoded: false)
    descriptor = unsafe open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else {
      let failure = SystemFailure()
      guard unsafe access(path, F_OK) != 0 else { throw failure.depthError(.unwritable, of: url) }
      throw FolderFailure(making: path, failure).unwritable(url)
    }
    // All properties are set, so `deinit` closes the file if the next line throws.
    try locked { if let size = Self.size(descriptor), size > 0 { try removeTail(size) } }
  }

  deinit { close(descriptor) }

  /// Appends a line and a line feed, or nothing.
  ///
  /// - Throws: `DepthError` with code `unwritable`, for example when the disk is full.
  package func append(_ line: String) throws {
    try locked {
      let (start, bytes) = (Self.size(descriptor), Array((line + "\n").utf8))
      do throws(SystemFailure) { try writeAll(bytes.span, to: descriptor) } catch {
        if let start { ftruncate(descriptor, off_t(start)) }
        throw error.depthError(.unwritable, of: url)
      }
    }
  }

  /// Calls `body` for each whole line of a file, without its line feed.
  ///
  /// - Throws: `DepthError` with code `unreadable`, and any error of `body`.
  package static func forEachLine(
    of url: URL, _ body: (ArraySlice<UInt8>) throws -> Void
  ) throws {
    var rest: [UInt8] = []
    try InputFile.forEachPiece(of: url) { piece in
      rest += piece
      var start = rest.startIndex
      while let end = rest[start...].firstIndex(of: UInt8(ascii: "\n")) {
        try body(rest[start..<end])
        start = end + 1
      }
      rest.removeFirst(start)
    }
  }

  /// Truncates the file after its last line feed.
  private func removeTail(_ size: Int) throws {
    var end = size
    var chunk = [UInt8](repeating: 0, count: 4096)
    while end > 0 {
      let start = max(0, end - chunk.count)
      let count = unsafe pread(descriptor, &chunk, end - start, off_t(start))
      guard count == end - start else { throw SystemFailure().depthError(.unwritable, of: url) }
      if let last = chunk[..<count].lastIndex(of: UInt8(ascii: "\n")) {
        end = start + last + 1
        break
      }
      end = start
    }
    if end < size, ftruncate(descriptor, off_t(end)) != 0 {
      throw SystemFailure().depthError(.unwritable, of: url)
    }
  }

  private func locked(_ body: () throws -> Void) throws {
    while flock(descriptor, LOCK_EX) != 0 {
      // Without locks, a device or file system is assumed to have one writer.
      guard errno == EINTR else { break }
    }
    defer { flock(descriptor, LOCK_UN) }
    try body()
  }

  /// The size of an ordinary file; `nil` for a pipe or device, which cannot be truncated.
  private static func size(_ descriptor: Int32) -> Int? {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return nil
    }
    return Int(status.st_size)
  }
}
