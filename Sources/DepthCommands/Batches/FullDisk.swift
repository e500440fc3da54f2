import DepthBase
import DepthErrors
import Synchronization
import SystemEssentials

/// A disk that was full when the files of a photo or a film were to be written: those after it are not computed for nothing.
final class FullDisk: Sendable {
  private struct Failure {
    let error: DepthError
    let folder: URL
    /// Bytes that were free then.
    let free: Int
  }

  private let failure = Mutex<Failure?>(nil)
  private let freeBytes: @Sendable (URL) -> Int?

  /// - Parameter freeBytes: Bytes that are free below a folder.
  init(freeBytes: @escaping @Sendable (URL) -> Int? = FreeSpace.bytes) {
    self.freeBytes = freeBytes
  }

  /// Takes notice of why one failed.
  ///
  /// - Parameter file: One of its files.
  func record(_ error: any Error, file: URL?) {
    guard let error = error as? DepthError, (error.cause as? SystemFailure)?.code == ENOSPC,
      let folder = file?.deletingLastPathComponent(), let free = freeBytes(folder)
    else { return }
    failure.withLock { $0 = Failure(error: error, folder: folder, free: free) }
  }

  /// The failure of one that would be written to the same disk, unless somebody has made room since: as much again
  /// as was free and did not do.
  func failure(writing file: URL?) -> DepthError? {
    failure.withLock { failure in
      guard let known = failure, let file, let free = freeBytes(file.deletingLastPathComponent())
      else { return nil }
      guard free < 2 * known.free + Self.room else {
        failure = nil
        return nil
      }
      return DepthError(
        .unwritable, file: file.relativePath, known.error.message, cause: known.error.cause)
    }
  }

  /// Bytes that its files need at least.
  private static let room = 1 << 20
}
