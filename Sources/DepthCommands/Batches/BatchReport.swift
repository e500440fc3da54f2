import DepthBase
import DepthErrors
import DepthPhotos
import Synchronization

/// Reports the photos of a run in order, even if photos finish in another order.
final class BatchReport: Sendable {
  enum Outcome: Sendable {
    case made(PhotoRecord, pixels: Int, Duration)
    /// The files exist and are up to date.
    case skipped([String])
    case failed(any Error, Duration)
  }

  private struct State {
    var waiting: [Int: (PhotoInput, Outcome)] = [:]
    var next = 0
    var made = 0
    /// Number of finished photos whose embedded depth was used.
    var embedded = 0
    /// First output file of the last finished photo.
    var lastFile: String?
    var skipped = 0
    var failed = 0
    /// Whether a retry may succeed for one of the failures.
    var hasTemporary = false
    /// Loading time; `nil` after the record of the first finished photo, which includes this time.
    var load: Duration?
    /// The error that prevents reporting of results.
    var obstacle: (any Error)?
    /// Whether the reader of standard output has closed the stream. The run then ends without a failure.
    var isReaderGone = false
  }

  private let state: Mutex<State>
  private let manifest: Manifest?
  private let printsJSON: Bool
  private let progress: BatchProgress

  init(manifest: Manifest?, json: Bool, load: Duration, progress: BatchProgress) {
    state = Mutex(State(load: load))
    (self.manifest, printsJSON, self.progress) = (manifest, json, progress)
  }

  /// Stores the outcome of the photo at `index`. Reports outcomes in order, up to the first unfinished photo.
  func finished(_ index: Int, _ photo: PhotoInput, _ outcome: Outcome) {
    state.withLock { state in
      state.waiting[index] = (photo, outcome)
      while let (photo, outcome) = state.waiting.removeValue(forKey: state.next) {
        state.next += 1
        count(photo, outcome, in: &state)
      }
    }
  }

  /// Reports the remaining finished photos of a stopped run, even if an earlier photo is unfinished.
  func tellRest() {
    state.withLock { state in
      for (index, (photo, outcome)) in state.waiting.sorted(by: { $0.key < $1.key }) {
        state.waiting[index] = nil
        count(photo, outcome, in: &state)
      }
    }
  }

  private func count(_ photo: PhotoInput, _ outcome: Outcome, in state: inout State) {
    switch outcome {
    case .made(let record, _, _):
      state.made += 1
      if record.depth.depthSource == .embedded { state.embedded += 1 }
      if let file = record.outputs.first, file != "-" { state.lastFile = file }
    case .skipped: state.skipped += 1
    case .failed(let error, _):
      state.failed += 1
      if (error as? DepthError)?.isTemporary == true { state.hasTemporary = true }
    }
    guard state.obstacle == nil else { return }
    var told = outcome
    if case .made(let record, let pixels, let time) = outcome, let load = state.load.take() {
      told = .made(record.counting(load: load), pixels: pixels, time)
    }
    do { try progress.finishing { try tell(of: photo, told) } } catch is ReaderGone {
      state.isReaderGone = true
    } catch { state.obstacle = error }
  }

  /// Whether the run should stop because results can no longer be reported.
  var isObstructed: Bool { state.withLock { $0.obstacle != nil || $0.isReaderGone } }

  func readerIsGone() { state.withLock { $0.isReaderGone = true } }

  /// Number of photos whose files were written.
  var made: Int { state.withLock { $0.made } }

  /// "198 of 200 photos done, 1 skipped, 1 failed, 11 other files, 12 s, the last file is maps/z_depth.png; files are skipped by
  /// their modification times, options are not compared"
  func summary(of total: Int, otherFiles: Int = 0, in time: String) -> String {
    state.withLock { state in
      "\(state.made) of \(total) photos done"
        + (state.embedded > 0 ? " (\(state.embedded) with the depth inside them)" : "")
        + (state.skipped > 0 ? ", \(state.skipped) skipped" : "")
        + (state.failed > 0 ? ", \(state.failed) failed" : "")
        + (otherFiles > 0 ? ", \(otherFiles) other file\(otherFiles > 1 ? "s" : "")" : "")
        + ", \(time)"
        + (state.lastFile.map { ", the last file is \($0)" } ?? "")
        + (state.skipped > 0 ? "; \(UpToDate.explanation)" : "")
        + (state.hasTemporary ? "; \(Console.continuation)" : "")
    }
  }

  /// - Throws: The error that prevented reporting, or the exit status of failed photos.
  func check() throws {
    let (obstacle, failed, hasTemporary) = state.withLock {
      ($0.obstacle, $0.failed, $0.hasTemporary)
    }
    if let obstacle { throw obstacle }
    if failed > 0 { throw hasTemporary ? RunStatus.tryAgain : RunStatus.failure }
  }

  private func tell(of photo: PhotoInput, _ outcome: Outcome) throws {
    var isReaderGone = false
    func show(_ record: some Encodable) throws {
      // A closed standard output does not prevent the manifest's line.
      do { try Console.write(jsonLine(record)) } catch is ReaderGone { isReaderGone = true }
    }
    var line = ManifestLine(photo)
    switch outcome {
    case .made(let record, let pixels, let time):
      line.record(outputs: record.outputs)
      (line.nearM, line.farM) = (record.range?.low, record.range?.high)
      line.milliseconds = time.milliseconds
      if printsJSON {
        try show(record)
      } else if progress.tellsResult, let sentence = record.sentence {
        Console.log("\(photo.path): \(sentence)".escapingControls + "\n")
        if let hint = record.hint { Console.log(hint + "\n") }
      }
      if progress.isPlain, pixels >= Self.largePixels {
        let size = "\((Double(pixels) / 1e6).rounded(toDigits: 1)) megapixels"
        Console.note("\(photo.path): \(size), \(Int(time.milliseconds)) ms")
      }
    case .skipped(let outputs):
      line.record(outputs: outputs)
      line.skipped = true
      if printsJSON { try show(UnmadeRecord(photo.path, outputs: outputs, skipped: true)) }
    case .failed(let error, let time):
      let text = Console.text(of: error)
      (line.error, line.milliseconds) = (text, time.milliseconds)
      line.retry = (error as? DepthError)?.isTemporary ?? false
      Console.report(error)
      if printsJSON { try show(UnmadeRecord(photo.path, error: text)) }
    }
    try manifest?.append(line)
    if isReaderGone { throw ReaderGone() }
  }

  /// Photos of at least this many pixels get their own line if standard error is not a terminal.
  private static var largePixels: Int { 12_000_000 }
}

/// The line of a photo that was skipped or failed.
private struct UnmadeRecord: Encodable {
  private let names: PhotoNames
  private let skipped: Bool?
  private let error: String?

  private enum CodingKeys: CodingKey { case skipped, error }

  init(_ input: String, outputs: [String] = [], skipped: Bool? = nil, error: String? = nil) {
    names = PhotoNames(input: input, outputs: outputs)
    (self.skipped, self.error) = (skipped, error)
  }

  func encode(to encoder: any Encoder) throws {
    try names.encode(to: encoder)
    var object = encoder.container(keyedBy: CodingKeys.self)
    try object.encodeIfPresent(skipped, forKey: .skipped)
    try object.encodeIfPresent(error, forKey: .error)
  }
}
