import DepthBase
import DepthErrors
import DepthImages
import SystemEssentials

/// The loop of a batch over its photos:
///
///     for photo in photos { read; make; write; report }
///
/// Several photos are in progress at once, one per thread. Decoding, inference and writing of different photos overlap.
/// Reports are in the order of the photos.
struct PhotoLoop: Sendable {
  let batch: PhotoBatch
  /// Number of threads for all photos, and number of photos in progress at once.
  let threads, workers: Int
  let report: BatchReport
  let progress: BatchProgress
  let work: PhotoWork

  private let next = Monitor(0)
  private let reservations = MemoryReservations()
  private let fullDisk = FullDisk()

  /// Processes all photos and shows progress.
  func run() {
    guard workers > 1 else { return processAll() }
    WorkerThreads.run(workers, every: 1000, tick: progress.tick, processAll)
  }

  /// Processes photos on one thread until none is left, Ctrl-C is pressed, or reporting is impossible.
  private func processAll() {
    while !Interruption.hasCome, !report.isObstructed {
      let index = next.update { index in
        defer { index += 1 }
        return index
      }
      guard index < batch.photos.count else { return }
      let photo = batch.photos[index]
      let files = batch.outputs[photo.path] ?? []
      let outcome: BatchReport.Outcome?
      // Another run on the same folder may have made the files since this run began.
      if batch.plan.replacesOutdated, batch.plan.areUpToDate(files, of: photo.path) {
        outcome = .skipped(files.map(\.file.relativePath))
      } else if let error = fullDisk.failure(writing: files.first?.file) {
        outcome = .failed(error, .zero)
      } else {
        outcome = process(photo, index, files)
      }
      if let outcome { report.finished(batch.failures.count + index, photo, outcome) }
    }
  }

  /// Processes one photo.
  ///
  /// - Returns: `nil` if the run was cancelled.
  private func process(
    _ photo: PhotoInput, _ index: Int, _ files: [OutputPlan.Output]
  ) -> BatchReport.Outcome? {
    let start = ContinuousClock.now
    // The last photos get the threads of the photos that have finished.
    let run = PhotoRun(
      photo, overwrite: batch.plan.mayReplace,
      replacesShared: batch.plan.replacesShared(among: files, of: photo.path),
      share: max(1, threads / max(1, min(workers, batch.photos.count - index))), of: threads,
      reservations: reservations, progress: progress)
    do {
      defer { run.end() }
      run.begin(.reading)
      let source = try Cancellation.$current.withValue(Cancellation { Interruption.hasCome }) {
        try work.read(run)
      }
      run.begin(.estimating)
      let product = try work.make(source, run)
      run.begin(.writing)
      let written = try run.write(product.contents(), shared: product.shared)
      return .made(try product.record(written), pixels: run.pixels, .now - start)
    } catch is ReaderGone {
      report.readerIsGone()
      return nil
    } catch is CancellationError {
      // Ctrl-C ended the photo's decoder.
      return nil
    } catch {
      fullDisk.record(error, file: files.first?.file)
      return .failed(error, .now - start)
    }
  }
}
