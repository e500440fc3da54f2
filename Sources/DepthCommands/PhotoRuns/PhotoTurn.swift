import DepthBase
import DepthErrors
import PictureFiles
import Synchronization
import SystemEssentials

/// One photo's turn in a run, and what its command may use.
final class PhotoTurn: Sendable {
  let photo: PhotoInput
  /// Whether files that exist may be replaced.
  let overwrite: Bool
  /// Whether a shared file that exists may be replaced, too.
  private let replacesShared: Bool

  private let share: Int
  private let allThreads: Int
  private let reservations: MemoryReservations
  private let progress: RunProgress
  private let state = Mutex<(reserved: MemoryNeed?, pixels: Int)>((nil, 0))

  /// - Parameter share: Threads for this photo while as many others are in progress as there is memory for.
  init(
    _ photo: PhotoInput, overwrite: Bool, replacesShared: Bool, share: Int, of allThreads: Int,
    reservations: MemoryReservations, progress: RunProgress
  ) {
    (self.photo, self.overwrite, self.replacesShared) = (photo, overwrite, replacesShared)
    (self.share, self.allThreads) = (share, allThreads)
    (self.reservations, self.progress) = (reservations, progress)
  }

  /// Gives back the photo's memory.
  func end() { state.withLock { $0.reserved.take() }.map(reservations.release) }

  /// A line about the photo on standard error.
  func note(_ text: String) {
    progress.making { Console.note("depth: \("\(photo.path): \(text)".escapingControls)\n") }
  }

  /// Says what is read of a file with several pictures.
  func noteAnimation(_ file: PhotoFile) {
    if file.isAnimation { note("is an animation, of which the first frame is read") }
  }

  /// Shows what is being done.
  func step(_ step: String) { progress.step(step, of: photo.path) }

  /// Waits until the photo's memory is there; called once, before the photo is decoded.
  ///
  /// - Parameters:
  ///   - need: Everything that the photo takes until its files are written.
  ///   - pixels: Of the photo.
  /// - Returns: The threads to use; results do not depend on their number.
  /// - Throws: `DepthError` with code `insufficientMemory`.
  func threads(for need: MemoryNeed, pixels: Int) throws -> Int {
    let fitting = try reservations.reserve(need, for: photo.path)
    state.withLock { $0 = (need, pixels) }
    // Where memory is for fewer photos than threads, each gets more of them.
    return max(share, allThreads / fitting, 1)
  }

  /// Pixels of the photo; 0 before it was looked at.
  var pixels: Int { state.withLock { $0.pixels } }

  /// Writes a file.
  ///
  /// - Throws: `DepthError`; nothing of the file is left then.
  func write(_ bytes: [UInt8], to file: URL) throws {
    try writing { try AtomicFile.write(bytes, to: file, overwrite: overwrite) }
  }

  /// Writes all of these files, or none.
  ///
  /// - Parameter shared: One of them that may be there with the same content, and then stays.
  /// - Returns: Their names; `-` for standard output.
  /// - Throws: `DepthError`, also where standard output is a screen; nothing of any file is left then.
  func write(
    _ contents: [(content: FileContent, url: URL)], shared: URL? = nil
  ) throws -> [String] {
    if contents.contains(where: { $0.url == Console.standardOutput }) {
      try Console.checkStandardOutputTakesBytes()
    }
    let missing = try contents.filter { content, url in
      guard url == shared, case .bytes(let bytes) = content else { return true }
      return try !keepsShared(bytes, at: url)
    }
    try writing { try AtomicFile.write(missing, overwrite: overwrite) }
    return contents.map { $0.url == Console.standardOutput ? "-" : $0.url.relativePath }
  }

  /// Whether a shared file has this content already, so that nothing is to be written.
  ///
  /// - Throws: `DepthError` if it has another content and may not be replaced: it belongs to other files, too.
  @discardableResult
  func keepsShared(_ bytes: [UInt8], at url: URL) throws -> Bool {
    guard !replacesShared, FileFacts(of: url) != nil else { return false }
    guard (try? InputFile.bytes(of: url, maximumBytes: bytes.count)) == bytes else {
      throw DepthError(
        .fileExists, file: url.relativePath, "exists already, with other content")
    }
    return true
  }

  /// Runs what writes files.
  ///
  /// - Throws: ``ReaderGone`` where standard output is one of them and its reader has left.
  private func writing(_ body: () throws -> Void) throws {
    do { try body() } catch let error as DepthError
      where error.file == Console.standardOutput.relativePath
      && (error.cause as? SystemFailure)?.code == EPIPE
    {
      throw ReaderGone()
    }
  }
}
