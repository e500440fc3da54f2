import AtomicFiles
import DepthErrors
import SystemEssentials

/// The work on a run's photos, which several threads share.
struct PhotoWork<Record: PhotoRecord>: Sendable {
  let photos: [PhotoInput]
  /// The place of the first photo in the report.
  let firstPlace: Int
  let plan: OutputPlan
  /// The earlier run whose finished photos are skipped; `nil` if all photos are made.
  let earlier: EarlierRun?
  let earlierPhotos: EarlierRun.Photos
  let recipe: Recipe
  let files: MadeFiles
  /// Number of threads for all photos, and number of photos at once.
  let threads, workers: Int
  let report: RunReport<Record>
  let progress: RunProgress
  let make: @Sendable (PhotoTurn) throws -> Record

  private let outputs: [String: [OutputPlan.Output]]
  private let queue: PhotoQueue
  private let reservations = MemoryReservations()
  private let fullDisk = FullDisk()
  private let clock = ContinuousClock()

  init(
    photos: [PhotoInput], firstPlace: Int, plan: OutputPlan, earlier: EarlierRun?,
    earlierPhotos: EarlierRun.Photos, recipe: Recipe, files: MadeFiles, threads: Int,
    report: RunReport<Record>, progress: RunProgress,
    make: @escaping @Sendable (PhotoTurn) throws -> Record
  ) {
    (self.photos, self.firstPlace, self.plan) = (photos, firstPlace, plan)
    (self.earlier, self.recipe, self.files) = (earlier, recipe, files)
    self.earlierPhotos = earlierPhotos
    (self.threads, self.report, self.progress, self.make) = (threads, report, progress, make)
    workers = max(1, min(threads, photos.count - earlierPhotos.done.count))
    outputs = Dictionary(grouping: plan.outputs, by: \.photo)
    queue = PhotoQueue(count: photos.count)
  }

  /// One thread's work: takes photos until none is left.
  func run() {
    while !Interruption.hasCome, !report.isObstructed, let (index, isAgain) = queue.next() {
      let before = clock.now
      guard let outcome = outcome(of: index, isAgain: isAgain, since: before) else { continue }
      report.finished(firstPlace + index, photos[index], outcome)
    }
  }

  /// The outcome of one photo; `nil` if the photo was put back into the queue, or if the reader of the report is gone.
  private func outcome(
    of index: Int, isAgain: Bool, since before: ContinuousClock.Instant
  ) -> RunReport<Record>.Outcome? {
    let photo = photos[index]
    if let outputs = earlierPhotos.done[photo.path] { return .skipped(outputs) }
    let places = outputs[photo.path] ?? []
    if let error = fullDisk.failure(writing: places.first?.file) { return .failed(error, .zero) }
    var claim: FileClaim?
    if earlier != nil, photo.path != "-" {
      // Another run on the same folder may be at this photo, or have made it since this one began.
      let answer =
        isAgain
        ? FileClaim.wait(for: photo.url) { Interruption.hasCome || report.isObstructed }
        : FileClaim.ask(for: photo.url)
      switch answer {
      case .mine(let own): claim = own
      case .taken where !isAgain:
        queue.putBack(index)
        return nil
      case .taken, .none: break
      }
    }
    defer { withExtendedLifetime(claim) {} }
    do {
      return try made(index, places, since: before)
    } catch is ReaderGone {
      report.readerIsGone()
      return nil
    } catch let error as DepthError where error.code == .fileExists {
      // A run on another machine, whose claims are not seen here, was faster.
      let all = try? earlier?.made(of: places).all
      return all.map { .skipped($0) } ?? .failed(error, clock.now - before)
    } catch {
      fullDisk.note(error, file: places.first?.file)
      return .failed(error, clock.now - before)
    }
  }

  /// Makes a photo's files, unless another run has made them meanwhile.
  private func made(
    _ index: Int, _ places: [OutputPlan.Output], since before: ContinuousClock.Instant
  ) throws -> RunReport<Record>.Outcome {
    let photo = photos[index]
    let found = try earlier?.made(of: places) ?? (all: nil, isAny: false)
    if let all = found.all { return .skipped(all) }
    // The last photos get the threads of those that are done.
    let turn = PhotoTurn(
      photo, overwrite: plan.overwrite,
      isUnfinished: found.isAny || earlierPhotos.unfinished.contains(photo.path),
      share: max(1, threads / max(1, min(workers, photos.count - index))), of: threads,
      recipe: recipe, depthFile: plan.depthFiles[photo.path], files: files,
      reservations: reservations, progress: progress)
    defer { turn.end() }
    let record = try make(turn)
    return .made(record, pixels: turn.pixels, clock.now - before)
  }
}
