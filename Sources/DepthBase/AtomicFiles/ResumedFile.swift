import DepthErrors
package import SystemEssentials

/// A file that several runs write one after the other, under a hidden name, until it is whole.
///
/// The one run that writes it holds a lock (`flock`) on it.
package final class ResumedFile: Sendable {
  private let url: URL
  private let descriptor: Int32

  /// Opens the file that an earlier run left, or makes one with the permissions of a new file.
  ///
  /// - Parameters:
  ///   - url: Its name until it is whole, in a folder that nobody else may write to.
  ///   - file: Its later name, for errors.
  /// - Throws: `DepthError` with code `unwritable`, also while another process writes it.
  package init(at url: URL, for file: URL) throws {
    let path = url.path(percentEncoded: false)
    func failure(_ code: Int32) -> DepthError {
      SystemFailure(code).depthError(.unwritable, of: file)
    }
    while true {
      // No link is followed, and a named pipe does not block.
      let descriptor = unsafe open(
        path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o666)
      guard descriptor >= 0 else { throw failure(errno) }
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
        close(descriptor)
        throw DepthError(
          .unwritable, file: file.relativePath, "another run of this command is fetching it",
          cause: SystemFailure(EAGAIN))
      }
      var status = stat()
      guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
        close(descriptor)
        throw DepthError.unwritable(file: file.relativePath, reason: "\(path) is no ordinary file")
      }
      // A run that has just ended may have renamed or removed it before this lock.
      if OwnedFolder.hasName(descriptor, path) {
        (self.url, self.descriptor) = (url, descriptor)
        return
      }
      close(descriptor)
    }
  }

  deinit {
    // A child that was forked for another program holds the descriptor, and its lock, until that program begins.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// The bytes that it has so far.
  package var bytes: Int {
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
  }

  /// Appends a piece, of which a full disk takes a part.
  package func append(_ piece: Span<UInt8>) throws(SystemFailure) {
    try writeAll(piece, to: descriptor)
  }

  /// Removes the bytes that it has.
  package func empty() throws {
    guard ftruncate(descriptor, 0) == 0 else {
      throw SystemFailure().depthError(.unwritable, of: url)
    }
  }

  /// Gives it its name, once its bytes are on the disk.
  ///
  /// - Throws: `DepthError` with code `unwritable`.
  package func finish(as file: URL) throws {
    do throws(SystemFailure) { try PartFile.synchronize(descriptor) } catch {
      throw error.depthError(.unwritable, of: file)
    }
    try AtomicFile.move(path, to: file)
  }

  /// Removes it.
  package func remove() { unsafe unlink(path) }

  /// Its path, under which it can be read.
  package var path: String { url.path(percentEncoded: false) }
}
