import DepthBase
import SystemEssentials

/// The work on a run's photos, which several threads share.
struct PhotoWork<Record: PhotoRecord>: Sendable {
  let photos: [PhotoInput]
  /// The place of the first photo in the report.
  let firstPlace: Int
  let plan: OutputPlan
  /// Number of threads for all photos, and number of photos at once.
  let threads, workers: Int
  let report: RunReport<Record>
  let progress: RunProgress
  let make: @Sendable (PhotoTurn) throws -> Record

  private let outputs: [String: [OutputPlan.Output]]
  /// The place of the next photo.
  private let next = Monitor(0)
  private let reservations = MemoryReservations()
  private let fullDisk = FullDisk()
  private let clock = ContinuousClock()

  init(
    photos: [PhotoInput], firstPlace: Int, plan: OutputPlan, upToDateCount: Int,
    threads: Int, report: RunReport<Record>, progress: RunProgress,
    make: @escaping @Sendable (PhotoTurn) throws -> Record
  ) {
    (self.photos, self.firstPlace, self.plan) = (photos, firstPlace, plan)
    (self.threads, self.report, self.progress, self.make) = (threads, report, progress, make)
    workers = max(1, min(threads, photos.count - upToDateCount))
    outputs = Dictionary(grouping: plan.outputs, by: \.photo)
  }

  /// One thread's work: takes photos until none is left.
  func run() {
    while !Interruption.hasCome, !report.isObstructed {
      let index = next.update { place in
        defer { place += 1 }
        return place
      }
      guard index < photos.count else { return }
      let before = clock.now
      guard let outcome = outcome(of: index, since: before) else { continue }
      report.finished(firstPlace + index, photos[index], outcome)
    }
  }

  /// The outcome of one photo; `nil` if the reader of the report is gone.
  private func outcome(
    of index: Int, since before: ContinuousClock.Instant
  ) -> RunReport<Record>.Outcome? {
    let photo = photos[index]
    let places = outputs[photo.path] ?? []
    // Another run on the same folder may have made it since this one began.
    if plan.replacesOutdated, plan.areUpToDate(places, of: photo.path) {
      return .skipped(places.map(\.file.relativePath))
    }
    if let error = fullDisk.failure(writing: places.first?.file) { return .failed(error, .zero) }
    do {
      return try made(index, places, since: before)
    } catch is ReaderGone {
      report.readerIsGone()
      return nil
    } catch {
      fullDisk.note(error, file: places.first?.file)
      return .failed(error, clock.now - before)
    }
  }

  /// Makes a photo's files.
  private func made(
    _ index: Int, _ places: [OutputPlan.Output], since before: ContinuousClock.Instant
  ) throws -> RunReport<Record>.Outcome {
    let photo = photos[index]
    // The last photos get the threads of those that are done.
    let turn = PhotoTurn(
      photo, overwrite: plan.mayReplace,
      replacesShared: plan.replacesShared(among: places, of: photo.path),
      share: max(1, threads / max(1, min(workers, photos.count - index))), of: threads,
      reservations: reservations, progress: progress)
    defer { turn.end() }
    let record = try make(turn)
    return .made(record, pixels: turn.pixels, clock.now - before)
  }
}
