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
  /// Threads for the photo. Results do not depend on the number of threads.
  private(set) var call = CallContext(threads: 1)
  /// Pixels of the photo; 0 until its header is read.
  private(set) var pixels = 0
  /// The known distances of the photo and their file; `nil` after the map was aligned with the distances.
  var points: (map: DepthMap, file: String)?

  private let overwrite: Bool
  /// Whether an existing shared file may be replaced.
  private let replacesShared: Bool
  private let share: Int
  private let allThreads: Int
  private let reservations: MemoryReservations
  private let progress: BatchProgress
  private var reserved: MemoryNeed?
  private var step = Step.reading
  private var watch = Stopwatch()
  private var times: [Step: Duration] = [:]

  /// - Parameter share: Threads for this photo, if there is enough memory for all concurrent photos.
  init(
    _ photo: PhotoInput, overwrite: Bool, replacesShared: Bool, share: Int, of allThreads: Int,
    reservations: MemoryReservations, progress: BatchProgress
  ) {
    (self.photo, self.overwrite, self.replacesShared) = (photo, overwrite, replacesShared)
    (self.share, self.allThreads) = (share, allThreads)
    (self.reservations, self.progress) = (reservations, progress)
  }

  /// Releases the photo's memory reservation.
  func end() { reserved.take().map(reservations.release) }

  /// Prints a line about the photo on standard error.
  func log(_ text: String) {
    progress.making { Console.note("\(photo.path): \(text)") }
  }

  /// Prints a note about the photo, but not with `--quiet` or `--json`. JSON records contain the values of
  /// notes.
  ///
  /// - Parameter once: A kind of note that is printed only once per run.
  func note(_ text: @autoclosure () -> String, once: BatchNote? = nil) {
    guard progress.tellsNotes, once.map(progress.isFirst) ?? true else { return }
    log(text())
  }

  /// Ends the current step, then begins and shows the next one.
  func begin(_ step: Step) {
    times[self.step, default: .zero] += watch.lap()
    self.step = step
    progress.step(step.rawValue, of: photo.path)
  }

  /// Sets the elapsed time of the current step, which may have begun on another thread.
  func restart(after time: Duration) {
    _ = watch.lap()
    times[step] = time
  }

  /// Milliseconds per step so far.
  ///
  /// - Parameters:
  ///   - making: Name of the step that is specific to the command.
  ///   - step: The step with that name.
  func milliseconds(_ making: String, _ step: Step) -> [String: Double] {
    let steps: [String: Step] = [
      "decode": .reading, "depth": .estimating, making: step, "write": .writing,
    ]
    return steps.mapValues { time($0).milliseconds }
  }

  /// The elapsed time of a step.
  func time(_ step: Step) -> Duration {
    times[self.step, default: .zero] += watch.lap()
    return times[step] ?? .zero
  }

  /// Waits until the photo's memory can be reserved, before the photo is decoded. A second reservation replaces the
  /// first.
  ///
  /// - Parameters:
  ///   - need: The memory for all work on the photo, including its output files.
  ///   - file: The photo's file, about which notes are printed.
  /// - Throws: `DepthError` with code `insufficientMemory`.
  func admit(_ need: MemoryNeed, of file: PhotoFile) throws {
    if pixels == 0 { file.notes.forEach(log) }
    // Two photos that both hold memory and wait for more would deadlock.
    end()
    let fitting = try reservations.reserve(need, for: photo.path)
    (reserved, pixels) = (need, file.width * file.height)
    // If fewer photos than threads fit into memory, each photo gets several threads.
    call = CallContext(threads: max(share, allThreads / fitting, 1))
  }

  /// Runs optional work if its memory is free beside the photos in progress.
  func ifThereIsMemory(bytes: Int, _ body: () -> Void) {
    let need = MemoryNeed(bytes: bytes)
    guard reservations.reserveAtOnce(need) else { return }
    defer { reservations.release(need) }
    body()
  }

  /// Logs a conversion of the photo's colors, if there was one.
  func tellOfColors(_ image: Image) {
    if let note = image.metadata.colorNote { log(note) }
  }

  /// Writes all of these files, or none.
  ///
  /// - Parameter shared: The shared file, which stays unchanged if it exists with the same content.
  /// - Returns: The names of the files; `-` for standard output.
  /// - Throws: `DepthError` if a file cannot be written, or if standard output is a terminal. Then no file is written.
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

  /// Whether a shared file exists with this content and need not be written.
  ///
  /// - Throws: `DepthError` if the file has other content and may not be replaced, since other files refer to it.
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
