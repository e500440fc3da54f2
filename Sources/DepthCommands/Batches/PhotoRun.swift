import DepthBase
import DepthErrors
import DepthImages
import PictureFiles
import SystemEssentials

/// One photo of a batch, with its threads, memory, times and files.
final class PhotoRun {
  /// A step of the processing of a photo.
  enum Step: String { case reading, estimating, refining, rendering, shaping, writing }

  let photo: PhotoInput
  /// Threads for the photo; results do not depend on their number.
  private(set) var call = CallContext(threads: 1)
  /// Pixels of the photo; 0 before it was looked at.
  private(set) var pixels = 0
  /// Known distances of the photo and their file, until its map is moved to them.
  var points: (map: DepthMap, file: String)?

  /// Whether files that exist may be replaced.
  private let overwrite: Bool
  /// Whether a shared file that exists may be replaced, too.
  private let replacesShared: Bool
  private let share: Int
  private let allThreads: Int
  private let reservations: MemoryReservations
  private let progress: BatchProgress
  private var reserved: MemoryNeed?
  private var step = Step.reading
  private var watch = Stopwatch()
  private var times: [Step: Duration] = [:]

  /// - Parameter share: Threads for this photo while as many others are in progress as there is memory for.
  init(
    _ photo: PhotoInput, overwrite: Bool, replacesShared: Bool, share: Int, of allThreads: Int,
    reservations: MemoryReservations, progress: BatchProgress
  ) {
    (self.photo, self.overwrite, self.replacesShared) = (photo, overwrite, replacesShared)
    (self.share, self.allThreads) = (share, allThreads)
    (self.reservations, self.progress) = (reservations, progress)
  }

  /// Gives back the photo's memory.
  func end() { reserved.take().map(reservations.release) }

  /// A line about the photo on standard error.
  func log(_ text: String) {
    progress.making { Console.note("\(photo.path): \(text)") }
  }

  /// A note about the photo that `--quiet` silences, and `--json`, which has its values.
  ///
  /// - Parameter once: The kind of note of which a run prints only the first.
  func note(_ text: @autoclosure () -> String, once: BatchNote? = nil) {
    guard progress.tellsNotes, once.map(progress.isFirst) ?? true else { return }
    log(text())
  }

  /// Ends the current step and begins and shows the next one.
  func begin(_ step: Step) {
    times[self.step, default: .zero] += watch.lap()
    self.step = step
    progress.step(step.rawValue, of: photo.path)
  }

  /// Takes the current step for one that began so long ago, on another thread.
  func restart(after time: Duration) {
    _ = watch.lap()
    times[step] = time
  }

  /// Milliseconds per step so far.
  ///
  /// - Parameters:
  ///   - making: Name of the step that is specific to the command.
  ///   - step: That step.
  func milliseconds(_ making: String, _ step: Step) -> [String: Double] {
    let steps: [String: Step] = [
      "decode": .reading, "depth": .estimating, making: step, "write": .writing,
    ]
    return steps.mapValues { time($0).milliseconds }
  }

  /// The time that a step has taken so far.
  func time(_ step: Step) -> Duration {
    times[self.step, default: .zero] += watch.lap()
    return times[step] ?? .zero
  }

  /// Waits until the photo's memory is there; called before the photo is decoded. A second need replaces the first.
  ///
  /// - Parameters:
  ///   - need: Everything that the photo takes until its files are written.
  ///   - file: The photo. Messages say what is unusual about it.
  /// - Throws: `DepthError` with code `insufficientMemory`.
  func admit(_ need: MemoryNeed, of file: PhotoFile) throws {
    if pixels == 0 { file.notes.forEach(log) }
    // Two photos that both wait for a larger need would wait for each other.
    end()
    let fitting = try reservations.reserve(need, for: photo.path)
    (reserved, pixels) = (need, file.width * file.height)
    // Where memory is for fewer photos than threads, each gets more of them.
    call = CallContext(threads: max(share, allThreads / fitting, 1))
  }

  /// Runs optional work if the memory that it needs is free beside the photos in progress.
  func ifThereIsMemory(bytes: Int, _ body: () -> Void) {
    let need = MemoryNeed(bytes: bytes)
    guard reservations.reserveAtOnce(need) else { return }
    defer { reservations.release(need) }
    body()
  }

  /// Says that the colors of a photo were converted, if they were.
  func tellOfColors(_ image: Image) {
    if let note = image.metadata.colorNote { log(note) }
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
    try Console.noticingReader { try AtomicFile.write(missing, overwrite: overwrite) }
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
}
