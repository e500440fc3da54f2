import DepthBase
import DepthErrors
import DepthImages
import PictureFiles
import SystemEssentials

/// The steps of a command for each photo; called on several threads concurrently.
protocol PhotoSteps: Sendable {
  associatedtype Source
  associatedtype Product
  associatedtype Record: PhotoRecord

  /// Reads the photo, after ``PhotoTask/admit(_:of:)`` has reserved its memory.
  func read(_ task: PhotoTask) throws -> Source

  /// Estimates its depth and makes the output.
  func estimate(_ source: Source, _ task: PhotoTask) throws -> Product

  /// Writes the files.
  func write(_ product: Product, of source: Source, _ task: PhotoTask) throws -> Record
}

/// The loop of every command over its photos:
///
///     for photo in photos { read; estimate; write; report }
///
/// Several photos are in progress at once, one per thread, so that decoding, the network and writing of different photos overlap.
/// Reports are in the order of the photos.
struct PhotoLoop<Steps: PhotoSteps>: Sendable {
  let photos: [PhotoInput]
  /// The place of the first photo in the report.
  let firstIndex: Int
  let plan: OutputPlan
  /// Number of threads for all photos, and number of photos at once.
  let threads, workers: Int
  let report: RunReport<Steps.Record>
  let progress: RunProgress
  let steps: Steps

  private let outputs: [String: [OutputPlan.Output]]
  private let next = Monitor(0)
  private let reservations = MemoryReservations()
  private let fullDisk = FullDisk()

  /// - Parameter upToDateCount: Number of photos whose outputs are up to date.
  init(
    photos: [PhotoInput], firstIndex: Int, plan: OutputPlan, upToDateCount: Int,
    threads: Int, report: RunReport<Steps.Record>, progress: RunProgress, steps: Steps
  ) {
    (self.photos, self.firstIndex, self.plan) = (photos, firstIndex, plan)
    (self.threads, self.report, self.progress, self.steps) = (threads, report, progress, steps)
    workers = max(1, min(threads, photos.count - upToDateCount))
    outputs = Dictionary(grouping: plan.outputs, by: \.photo)
  }

  /// Processes all photos and shows progress.
  func run() {
    guard workers > 1 else { return work() }
    WorkerThreads.run(workers, every: 1000, tick: progress.tick, work)
  }

  /// Processes photos on one thread until none is left, Ctrl-C is pressed, or the report has no reader.
  private func work() {
    while !Interruption.hasCome, !report.isObstructed {
      let index = next.update { index in
        defer { index += 1 }
        return index
      }
      guard index < photos.count else { return }
      let photo = photos[index]
      let files = outputs[photo.path] ?? []
      // Another run on the same folder may have made it since this one began.
      if plan.replacesOutdated, plan.areUpToDate(files, of: photo.path) {
        report.finished(firstIndex + index, photo, .skipped(files.map(\.file.relativePath)))
      } else if let error = fullDisk.failure(writing: files.first?.file) {
        report.finished(firstIndex + index, photo, .failed(error, .zero))
      } else {
        process(photo, index, files)
      }
    }
  }

  /// All steps of one photo.
  private func process(_ photo: PhotoInput, _ index: Int, _ files: [OutputPlan.Output]) {
    let start = ContinuousClock.now
    // The last photos get the threads of those that are done.
    let task = PhotoTask(
      photo, overwrite: plan.mayReplace,
      replacesShared: plan.replacesShared(among: files, of: photo.path),
      share: max(1, threads / max(1, min(workers, photos.count - index))), of: threads,
      reservations: reservations, progress: progress)
    let outcome: RunReport<Steps.Record>.Outcome
    do {
      defer { task.end() }
      task.begin(.reading)
      let source = try Cancellation.$current.withValue(Cancellation { Interruption.hasCome }) {
        try steps.read(task)
      }
      task.begin(.estimating)
      let product = try steps.estimate(source, task)
      task.begin(.writing)
      let record = try steps.write(product, of: source, task)
      outcome = .made(record, pixels: task.pixels, .now - start)
    } catch is ReaderGone {
      return report.readerIsGone()
    } catch is CancellationError {
      // Ctrl-C has ended its decoder: nothing is known of the photo.
      return
    } catch {
      fullDisk.record(error, file: files.first?.file)
      outcome = .failed(error, .now - start)
    }
    report.finished(firstIndex + index, photo, outcome)
  }
}

/// A photo file, and its pixels if they are decoded already.
struct OpenedPhoto: Sendable {
  let file: PhotoFile
  /// The pixels, or why there are none; `nil` for a photo whose memory is to be reserved first.
  let image: Result<Image, any Error>?
  /// Time of reading and decoding.
  let time: Duration

  /// Photos of more bytes are decoded only after their memory is reserved.
  private static let limit = 256e6

  /// Opens a photo, and decodes it unless it is large.
  init(decoding photo: PhotoInput, limits: ImageLimits) throws {
    let start = ContinuousClock.now
    file = try PhotoFile(contentsOf: photo.url, limits: limits)
    let bytes = file.decodingBytesPerPixel * Double(file.width * file.height)
    do {
      image = bytes <= Self.limit ? .success(try file.image()) : nil
    } catch let error as DepthError where error.code == .insufficientMemory {
      image = nil
    } catch { image = .failure(error) }
    time = .now - start
  }
}
