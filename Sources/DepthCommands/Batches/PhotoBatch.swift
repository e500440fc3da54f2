import DepthBase
import DepthErrors
import DepthImages
import PictureFiles
import SystemEssentials

/// The photos of a command. All inputs and outputs are checked before the ``PhotoLoop`` begins.
///
/// A command makes a ``PhotoSelection``, lists the photos' files in an ``OutputPlan``, and calls
/// ``perform(threads:json:isQuiet:load:_:)`` with its ``PhotoWork``.
struct PhotoBatch: Sendable {
  let photos: [PhotoInput]
  let failures: [(path: String, error: any Error, relativePath: String?)]
  private let selection: PhotoSelection
  let plan: OutputPlan
  let outputs: [String: [OutputPlan.Output]]
  private let settings: BatchSettings
  /// Number of photos that are up to date.
  private let upToDateCount: Int
  private let madeFolders = MadeFolders()

  /// Rejects conflicts that can be found before anything is loaded.
  ///
  /// - Parameters:
  ///   - selection: The photos.
  ///   - plan: All files of the photos.
  /// - Throws: ``OutputConflict`` or `DepthError`.
  init(_ selection: PhotoSelection, _ plan: OutputPlan, _ settings: BatchSettings) throws {
    (self.selection, self.settings) = (selection, settings)
    // Two photos with one output file are rejected even if they belong to different shards.
    try plan.checkIdentities()
    if let manifest = settings.manifest { try Manifest.check(manifest) }
    var plan = plan
    var photos = selection.photos
    var failures = selection.failures.map {
      (path: $0.path, error: $0.error, relativePath: selection.relativePaths[$0.path])
    }
    if let shard = settings.shard {
      photos.removeAll { !shard.contains($0.relativePath) }
      failures.removeAll { !shard.contains($0.relativePath ?? $0.path) }
    }
    if selection.isMany {
      // If the name of an output is invalid, only the output's photo fails.
      var errors: [String: DepthError] = [:]
      for output in plan.outputs {
        if let error = AtomicFile.nameFailure(output.file) { errors[output.photo] = error }
      }
      failures += photos.compactMap { photo in
        errors[photo.path].map { (photo.path, $0, photo.relativePath) }
      }
      photos.removeAll { errors[$0.path] != nil }
    }
    (self.photos, self.failures) = (photos, failures)
    let paths = Set(photos.map(\.path))
    plan.outputs.removeAll { !paths.contains($0.photo) }
    plan.replacesOutdated = settings.skipExisting
    self.plan = plan
    outputs = Dictionary(grouping: plan.outputs, by: \.photo)
    let upToDate =
      settings.skipExisting
      ? outputs.filter { [plan] in plan.areUpToDate($0.value, of: $0.key) } : [:]
    upToDateCount = upToDate.count
    try plan.checkDestinations(
      of: plan.outputs.filter { upToDate[$0.photo] == nil }, making: madeFolders,
      mayBeSkipped: true)
    guard settings.skipExisting else { return }
    // A killed run may have left partial files in folders in which this run writes nothing.
    let files = plan.outputs.map { $0.file.path(percentEncoded: false) }
    for folder in Set(files.map(AtomicFile.folder)) { PartFile.removeOrphans(in: folder) }
  }

  /// Starts decoding a run's only photo on its own thread while the weights are loaded.
  ///
  /// Errors are thrown when the photo is received.
  ///
  /// - Returns: `nil` for several photos, or if no thread can be started.
  func readingAhead(limits: ImageLimits) -> Channel<PhotoAhead>? {
    // With an address limit, weights are loaded first. The photo's need is then checked against the remaining memory.
    guard photos.count == 1, !settings.skipExisting, !MemoryBudget.hasAddressLimit else {
      return nil
    }
    let (photo, ahead) = (photos[0], Channel<PhotoAhead>())
    let started = OwnThread.start {
      do {
        ahead.send(try photo.opened(limits: limits))
        ahead.close()
      } catch { ahead.close(throwing: error) }
    }
    return started ? ahead : nil
  }

  /// Makes the files of all photos.
  ///
  /// - Parameters:
  ///   - threads: Number of threads; by default as many as processors.
  ///   - load: Duration of loading.
  /// - Throws: An error that ends the run before its first photo, an error that prevents reporting, or the exit status
  ///   of failed photos.
  func perform(
    threads: Int?, json: Bool, isQuiet: Bool, load: Duration = .zero, _ work: PhotoWork
  ) throws {
    let clock = ContinuousClock()
    let start = clock.now
    let total = photos.count + failures.count
    let progress = BatchProgress(
      total: total, isMany: selection.isMany, isShown: !isQuiet, json: json)
    let report = BatchReport(
      manifest: try settings.manifest.map(Manifest.init(appendingTo:)), json: json,
      load: load, progress: progress)
    if !isQuiet, let note = namesakesNote {
      Console.note(note)
    }
    if settings.skipExisting, !isQuiet,
      let note = UpToDate.note(
        on: photos.map(\.path) + plan.depthFiles.values.joined().sorted() + plan.sources)
    {
      Console.note(note)
    }
    for (index, failure) in failures.enumerated() {
      let photo = PhotoInput(path: failure.path, relativePath: failure.relativePath)
      report.finished(index, photo, .failed(failure.error, .zero))
    }
    let threads = threads ?? availableProcessors
    let loop = PhotoLoop(
      batch: self, threads: threads,
      workers: max(1, min(threads, photos.count - upToDateCount)), report: report,
      progress: progress, work: work)
    if selection.isMany { Interruption.finishingCurrent(loop.run) } else { loop.run() }
    report.tellRest()
    progress.end()
    if selection.isMany { try Interruption.endIfCome(done: report.made, of: total) }
    if selection.isUnattended, !isQuiet {
      let seconds = Int(((clock.now - start).milliseconds / 1000).rounded(.up))
      Console.note(
        report.summary(
          of: total, otherFiles: selection.otherFiles, in: ProgressLine.text(seconds: seconds)))
    }
    try report.check()
    madeFolders.keep()
  }
}

extension PhotoInput {
  /// Maximum memory, in bytes, of a photo that is decoded before its memory is reserved.
  private static let largestAhead = 256e6

  /// Opens the photo, and decodes it unless it is large. A decoding error is stored in the result.
  func opened(limits: ImageLimits) throws -> PhotoAhead {
    let start = ContinuousClock.now
    let file = try PhotoFile(contentsOf: url, limits: limits)
    let bytes = file.decodingBytesPerPixel * Double(file.width * file.height)
    var image: Result<Image, any Error>?
    if bytes <= Self.largestAhead {
      image = Result { try file.image() }
      if case .failure(let error as DepthError)? = image, error.code == .insufficientMemory {
        image = nil
      }
    }
    return (file, image, .now - start)
  }
}
