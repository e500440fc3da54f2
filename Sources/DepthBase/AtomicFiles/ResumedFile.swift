import DepthErrors
package import SystemEssentials

/// A file that several runs write successively under a hidden name until it is complete.
///
/// The writing run holds a lock (`flock`) on the file.
package final class ResumedFile: Sendable {
  private let url: URL
  private let descriptor: Int32

  /// Opens an earlier run's file, or creates the file with the permissions of a new file.
  ///
  /// - Parameters:
  ///   - url: The temporary path, in a folder that only this user can write to.
  ///   - file: The final path, for errors.
  /// - Throws: `DepthError` with code `unwritable`, also while another process writes the file.
  package init(at url: URL, for file: URL) throws {
    let path = url.path(percentEncoded: false)
    func failure(_ code: Int32) -> DepthError {
      SystemFailure(code).depthError(.unwritable, of: file)
    }
    while true {
      // Does not follow links, and does not block on named pipes.
      let descriptor = unsafe open(
        path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o666)
      guard descriptor >= 0 else { throw failure(errno) }
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
        close(descriptor)
        throw DepthError(
          .unwritable, file: file.relativePath, "another run of this command is downloading it",
          cause: SystemFailure(EAGAIN))
      }
      var status = stat()
      guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
        close(descriptor)
        throw DepthError.unwritable(
          file: file.relativePath, reason: "\(path) is not a regular file")
      }
      // A run that has just ended may have renamed or removed the file before this lock.
      if OwnedFolder.hasName(descriptor, path) {
        (self.url, self.descriptor) = (url, descriptor)
        return
      }
      close(descriptor)
    }
  }

  deinit {
    // A forked child holds the descriptor and its lock until it executes another program.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// Number of bytes written so far.
  package var bytes: Int {
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
  }

  /// Appends a piece, or only a part of the piece on a full disk.
  package func append(_ piece: Span<UInt8>) throws(SystemFailure) {
    try writeAll(piece, to: descriptor)
  }

  /// Truncates the file to zero bytes.
  package func empty() throws {
    guard ftruncate(descriptor, 0) == 0 else {
      throw SystemFailure().depthError(.unwritable, of: url)
    }
  }

  /// Renames the complete file after its bytes are on the disk.
  ///
  /// - Throws: `DepthError` with code `unwritable`.
  package func finish(as file: URL) throws {
    do throws(SystemFailure) { try PartFile.synchronize(descriptor) } catch {
      throw error.depthError(.unwritable, of: file)
    }
    try AtomicFile.move(path, to: file)
  }

  package func remove() { unsafe unlink(path) }

  /// The temporary path, for reading.
  package var path: String { url.path(percentEncoded: false) }
}
