import DepthBase
import DepthErrors
import Synchronization
import SystemEssentials

/// The last failure due to a full disk. Later photos or films for the same disk then fail before they are computed.
final class FullDisk: Sendable {
  private struct Failure {
    let error: DepthError
    let folder: URL
    /// Free bytes at the time of the failure.
    let free: Int
  }

  private let failure = Mutex<Failure?>(nil)
  private let freeBytes: @Sendable (URL) -> Int?

  /// - Parameter freeBytes: Free bytes below a folder.
  init(freeBytes: @escaping @Sendable (URL) -> Int? = FreeSpace.bytes) {
    self.freeBytes = freeBytes
  }

  /// Records the cause of a failed photo or film, if it is a full disk.
  ///
  /// - Parameter file: One of the files of the photo or film.
  func record(_ error: any Error, file: URL?) {
    guard let error = error as? DepthError, (error.cause as? SystemFailure)?.code == ENOSPC,
      let folder = file?.deletingLastPathComponent(), let free = freeBytes(folder)
    else { return }
    failure.withLock { $0 = Failure(error: error, folder: folder, free: free) }
  }

  /// The recorded failure if `file` is on the full disk. `nil` if space was freed after the failure.
  ///
  /// Space counts as freed if the disk has at least twice the recorded free bytes, plus ``room``.
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

  /// Free bytes that a completely full disk needs to count as freed.
  private static let room = 1 << 20
}
