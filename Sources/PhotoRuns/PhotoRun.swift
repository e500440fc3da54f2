import ArgumentParser
import AtomicFiles
import DepthErrors
package import DepthImages
import ProcessLimits
import SystemEssentials
import ThreadTeams

/// A command's run over its photos: checked as a whole first, then several photos at once, each by one
/// thread, so that one is decoded while another goes through the network and a third is written.
///
/// A command selects its photos with ``BatchOptions``, lists their files in an ``OutputPlan``, and calls
/// ``perform(_:threads:json:isQuiet:load:_:)`` with its ``Recipe`` and a closure that makes one photo's files.
package struct PhotoRun {
  package let photos: [PhotoInput]
  private let failures: [(path: String, error: any Error)]
  private let selection: PhotoSelection
  package let plan: OutputPlan
  package let options: BatchOptions

  /// Refuses what can be refused before anything is loaded.
  ///
  /// - Parameters:
  ///   - selection: The photos.
  ///   - plan: All of their files.
  /// - Throws: ``OutputConflict``, ``InputFailure`` or `DepthError`.
  package init(_ selection: PhotoSelection, _ plan: OutputPlan, options: BatchOptions) throws {
    (self.selection, self.options) = (selection, options)
    // Two photos for one file are refused even where they belong to different shards.
    try plan.checkIdentities()
    if let manifest = options.manifest { try Manifest.check(manifest) }
    var plan = plan
    if let shard = options.shard {
      photos = selection.photos.filter { shard.contains($0.relativePath) }
      failures = selection.failures.filter {
        shard.contains(selection.relativePaths[$0.path] ?? $0.path)
      }
      let paths = Set(photos.map(\.path))
      plan.outputs.removeAll { !paths.contains($0.photo) }
    } else {
      (photos, failures) = (selection.photos, selection.failures)
    }
    self.plan = plan
    // What exists may be done already; that is known once the weights are.
    if !options.skipExisting { try plan.checkPlaces(of: plan.outputs) }
  }

  /// Starts to decode the photo of a run that has one alone.
  package func readingAhead(limits: ImageLimits) -> PhotoAhead? {
    guard photos.count == 1, !options.skipExisting else { return nil }
    return PhotoAhead(photos[0], limits: limits)
  }

  /// Makes the files of all photos.
  ///
  /// - Parameters:
  ///   - recipe: What they are made with.
  ///   - threads: Threads to use; as many as there are processors by default.
  ///   - load: Time that loading has taken.
  ///   - make: Makes one photo's files; called on several threads at once.
  /// - Throws: What ends the run before its first photo; the reason why a result could not be reported; and at the end
  ///   the exit status, where it is not 0.
  package func perform<Record: PhotoRecord>(
    _ recipe: Recipe, threads: Int?, json: Bool, isQuiet: Bool, load: Duration = .zero,
    _ make: @escaping @Sendable (PhotoTurn) throws -> Record
  ) throws {
    let files = MadeFiles(keepsLines: options.skipExisting)
    let earlier = options.skipExisting ? try earlierPhotos(recipe, files) : EarlierPhotos()
    let clock = ContinuousClock()
    let start = clock.now
    let total = photos.count + failures.count
    let progress = RunProgress(
      total: total, isMany: selection.isMany, isShown: !isQuiet)
    let report = RunReport<Record>(
      manifest: try options.manifest.map(Manifest.init(appendingTo:)), json: json,
      load: load, progress: progress)
    for (index, failure) in failures.enumerated() {
      let photo = PhotoInput(
        path: failure.path, relativePath: selection.relativePaths[failure.path])
      report.finished(index, photo, .failed(failure.error, .zero))
    }
    let threads = threads ?? availableProcessors
    let workers = max(1, min(threads, photos.count - earlier.done.count))
    let reservations = MemoryReservations()
    let queue = PhotoQueue(count: photos.count)
    let outputs = Dictionary(grouping: plan.outputs, by: \.photo)
    let fullDisk = FullDisk()
    let work: @Sendable () -> Void = { [self, photos, failures, plan] in
      while !Interruption.hasCome, !report.isObstructed, let (index, isAgain) = queue.next() {
        let (photo, place) = (photos[index], failures.count + index)
        if let outputs = earlier.done[photo.path] {
          report.finished(place, photo, .skipped(outputs))
          continue
        }
        let before = clock.now
        let places = outputs[photo.path] ?? []
        if let error = fullDisk.failure(writing: places.first?.file) {
          report.finished(place, photo, .failed(error, .zero))
          continue
        }
        var claim: FileClaim?
        if options.skipExisting, photo.path != "-" {
          // Another run on the same folder may be at this photo, or have made it since this one began.
          let answer =
            isAgain
            ? FileClaim.wait(for: photo.url) { Interruption.hasCome || report.isObstructed }
            : FileClaim.ask(for: photo.url)
          switch answer {
          case .mine(let own): claim = own
          case .taken where !isAgain:
            queue.putBack(index)
            continue
          case .taken, .none: break
          }
        }
        defer { withExtendedLifetime(claim) {} }
        do {
          let found: (all: [String]?, isAny: Bool) =
            options.skipExisting ? try madeFiles(places, recipe, files) : (nil, false)
          if let all = found.all {
            report.finished(place, photo, .skipped(all))
            continue
          }
          // The last photos get the threads of those that are done.
          let turn = PhotoTurn(
            photo, overwrite: plan.overwrite,
            isUnfinished: found.isAny || earlier.unfinished.contains(photo.path),
            share: max(1, threads / max(1, min(workers, photos.count - index))), of: threads,
            recipe: recipe, depthFile: plan.depthFiles[photo.path], files: files,
            reservations: reservations, progress: progress)
          defer { turn.end() }
          let record = try make(turn)
          report.finished(
            place, photo, .made(record, pixels: turn.pixels, clock.now - before))
        } catch is ReaderGone {
          report.readerIsGone()
        } catch let error as DepthError where error.code == .fileExists {
          // A run on another machine, whose claims are not seen here, was faster.
          let all = options.skipExisting ? try? madeFiles(places, recipe, files).all : nil
          report.finished(
            place, photo, all.map { .skipped($0) } ?? .failed(error, clock.now - before))
        } catch {
          fullDisk.note(error, file: places.first?.file)
          report.finished(place, photo, .failed(error, clock.now - before))
        }
      }
    }
    let runAll = {
      guard workers > 1 else { return work() }
      WorkerThreads.run(workers, every: 1000, tick: progress.tick, work)
    }
    if selection.isMany { Interruption.finishingCurrent(runAll) } else { runAll() }
    report.tellRest()
    progress.end()
    if selection.isMany { try Interruption.endIfCome(done: report.made, of: total) }
    if selection.isUnattended, !isQuiet {
      let seconds = Int(((clock.now - start).milliseconds / 1000).rounded(.up))
      Console.note(
        "depth: \(report.summary(of: total)), \(RunProgress.text(seconds: seconds))\n")
    }
    try report.check()
  }

  /// What an earlier run has left.
  package struct EarlierPhotos: Sendable {
    /// The photos whose files are all there, made in the same way, and their files.
    package var done: [String: [String]] = [:]
    /// Photos of which some files are there, made in the same way.
    package var unfinished: Set<String> = []
  }

  /// Whether a file is there, made in the same way. Of a shared file, which another command may have made, it only matters
  /// whether it is there.
  private func isMade(
    _ output: OutputPlan.Output, _ recipe: Recipe, _ files: MadeFiles
  ) throws -> Bool {
    guard !output.isShared else { return FileFacts(of: output.file) != nil }
    let depthFile = plan.depthFiles[output.photo]
    let text = recipe.text(details: output.details, photo: output.photo, depthFile: depthFile)
    return try files.has(
      output.file, madeWith: text, from: [output.photo] + [depthFile].compactMap { $0 })
  }

  /// The input that was changed after a file was made of it, whatever else the file was made with; `nil` if none was.
  private func newerInput(than output: OutputPlan.Output) -> String? {
    let inputs = [output.photo] + [plan.depthFiles[output.photo]].compactMap { $0 }
    return inputs.first { MadeFiles.isOlder(output.file, than: $0) }
  }

  /// Looks for one photo's files again.
  ///
  /// - Returns: The files, if all of them are there, made in the same way; and whether any is, but for shared ones.
  private func madeFiles(
    _ outputs: [OutputPlan.Output], _ recipe: Recipe, _ files: MadeFiles
  ) throws -> (all: [String]?, isAny: Bool) {
    let made = try outputs.filter { try isMade($0, recipe, files) }
    let isAll = !outputs.isEmpty && made.count == outputs.count
    return (isAll ? outputs.map(\.file.relativePath) : nil, made.contains { !$0.isShared })
  }

  /// - Throws: ``OutputConflict`` for files that exist and were made otherwise.
  package func earlierPhotos(_ recipe: Recipe, _ files: MadeFiles) throws -> EarlierPhotos {
    func isDone(_ output: OutputPlan.Output) throws -> Bool {
      try isMade(output, recipe, files)
    }
    var earlier = EarlierPhotos()
    for (photo, outputs) in Dictionary(grouping: plan.outputs, by: \.photo)
    where try outputs.allSatisfy(isDone) {
      earlier.done[photo] = outputs.map(\.file.relativePath)
    }
    do {
      try plan.checkPlaces(of: plan.outputs.filter { earlier.done[$0.photo] == nil }) { output in
        guard try isDone(output) else { return false }
        earlier.unfinished.insert(output.photo)
        return true
      }
    } catch OutputConflict.exists(let existing) {
      let first = plan.outputs.first { $0.file.relativePath == existing.first }
      let older = first.flatMap(newerInput)
      throw OutputConflict.outdated(
        existing, reason: older.map { "older than \($0)" } ?? "made with other weights or options")
    }
    // What a killed run left, also in folders where nothing more is to be written.
    for folder in Set(plan.outputs.map { MadeFiles.folder(of: $0.file) }) {
      PartFile.removeOrphans(in: folder)
    }
    return earlier
  }
}
