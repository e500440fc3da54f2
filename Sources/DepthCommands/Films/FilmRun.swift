import DepthBase
import DepthErrors
import FilmFiles
import FrameStreams
import SystemEssentials

/// The conversion of one film: decoding by ffmpeg, depth, and encoding by ffmpeg.
struct FilmRun {
  struct Outcome: Sendable {
    var frames = 0
    /// Notes on the film, which were already printed.
    var notes: [String] = []
  }

  let input: String
  let output: URL
  let settings: FilmBatch.Settings
  /// All settings that affect the film, for its record; empty without segments.
  let fingerprint: [String]
  let tools: FFmpeg
  let parts: FilmParts
  let pictures: (_ framesPerSecond: Double) -> FilmPictures

  private var recipe: FilmRecipe { settings.recipe }

  /// Makes the film.
  ///
  /// - Throws: `DepthError`; the exit status after Ctrl-C. The finished part is kept.
  func run() throws -> Outcome {
    let target = try target()
    let film = try InputFilm(
      input, excerpt: recipe.excerpt, preview: recipe.preview,
      encoder: recipe.encoder.codec, keepsChroma: recipe.keepsChroma, tools: tools)
    if recipe.stereo != nil, let packing = film.packing {
      throw DepthError.unsupportedFormat(
        file: input, expected: "one view", found: "a stereo film already (\(packing))")
    }
    let folder = try FilmFolder(for: target)
    // The files of an earlier run are kept if this run is rejected.
    let record = try record(folder, film.excerpt)
    // A signal removes only a folder without segments, since finished segments are worth keeping.
    if recipe.segment == nil { parts.folder = folder }
    defer { parts.folder = nil }
    do {
      let outcome = try run(film, folder, from: record)
      folder.remove()
      return outcome
    } catch {
      parts.awaitEnd()
      if recipe.segment == nil || folder.record?.segments.isEmpty ?? true { folder.remove() }
      // An encoder can fail to end after Ctrl-C. The run then still counts as interrupted.
      guard Interruption.hasCome, let error = error as? DepthError else { throw error }
      Console.report(error)
      throw RunStatus.interrupted
    }
  }

  /// The path of the new film, or the link's target if the path is a link to a film.
  ///
  /// - Throws: `DepthError` if an existing film may not be replaced.
  private func target() throws -> URL {
    try AtomicFile.target(of: output, overwrite: mayReplace)
  }

  private var mayReplace: Bool { settings.overwrite || settings.replacesOutdated }

  private func run(
    _ film: InputFilm, _ folder: FilmFolder, from start: FilmFolder.Record
  ) throws -> Outcome {
    var record = start
    let carried = try namingOutput {
      try CarriedStreams(
        of: input, encoding(of: film), into: FilmContainer(output),
        pictures: folder.path(FilmFolder.trialPictures), trial: folder.path(FilmFolder.trialFilm))
    }
    let packing = film.packing.map { "is a stereo film (\($0)), but is processed as a single view" }
    let second = film.secondView.map { "has a second view (\($0)), which is left out" }
    let early = told(
      [packing, second].compactMap(\.self) + film.decoding.warnings + carried.notes)
    let progress = FilmProgress(
      name: input, total: film.frameCount, isShown: !settings.isQuiet)
    let lastPicture = LastPictureTime()
    let pictures = pictures(film.framesPerSecond)
    let (fault, sizes) = try makeSegments(
      &record, of: film, in: folder, by: pictures, progress, lastPicture)
    if Interruption.hasCome, recipe.segment != nil {
      Console.note(stopMessage(segments: record.segments.count))
      throw RunStatus.interrupted
    }
    guard !record.segments.isEmpty else {
      if Interruption.hasCome { throw RunStatus.interrupted }
      throw noFrame(of: film, fault)
    }
    // If an earlier run made all segments, `lastPicture` has no time.
    let lastTime = lastPicture.microseconds ?? record.last
    let last = lastTime.map { Double($0 + film.frameDuration) / 1_000_000 }
    // After Ctrl-C the film ends with its last picture.
    // After a decoding error, content after the last frame may be missing.
    let lastEnd = fault == nil ? lastTime.flatMap { film.end(after: $0) } : nil
    try join(
      record, of: film, by: carried, folder, lastUntil: Interruption.hasCome ? nil : lastEnd,
      upTo: Interruption.hasCome ? last : nil)
    if !settings.isQuiet {
      Console.note("\(output.relativePath): \(progress.summary())")
    }
    if Interruption.hasCome { throw RunStatus.interrupted }
    let missing = try film.probe.faults(fault, endingAt: last, of: film.excerpt) {
      try film.probe.clock(input, by: tools)
    }
    let late = told(
      missing
        + pictures.frames.notes + [sizes, pictures.pictures.note].compactMap(\.self))
    return Outcome(frames: record.frames, notes: late + early)
  }

  /// Prints and returns notes about the film without duplicates.
  private func told(_ notes: [String]) -> [String] {
    var told: [String] = []
    for note in notes where !told.contains(note) {
      told.append(note)
      if !settings.isQuiet { Console.note("\(input): \(note)") }
    }
    return told
  }

  /// Makes the segments that are not in the record.
  ///
  /// - Returns: ffmpeg's error message and a note about changes of the frame size; `nil` if there is none. The message
  ///   is also `nil` after Ctrl-C.
  private func makeSegments(
    _ record: inout FilmFolder.Record, of film: InputFilm, in folder: FilmFolder,
    by pictures: FilmPictures, _ progress: FilmProgress, _ lastPicture: LastPictureTime
  ) throws -> (fault: String?, sizes: String?) {
    if let name = record.memory {
      pictures.memory = try folder.memory(name)
      progress.resume(at: record.frames)
    }
    let decoder = try FilmDecoder(input, film, skipping: record.frames, tools: tools)
    let stop = StopFlag()
    let isStopped: @Sendable () -> Bool = { stop.isStopped || Interruption.hasCome }
    defer { progress.clear() }
    do {
      let reader = try decoder.reader(
        film.decoding, limits: settings.limits, firstIndex: record.frames,
        makesViews: recipe.stereo != nil, isStopped: isStopped)
      let maker = SegmentMaker(
        settings: settings, folder: folder, pictures: pictures,
        source: FilmFrames(
          reader: reader, decoder: decoder, origin: record.segments.first?.microseconds,
          last: record.last, segment: recipe.segment, isStopped: isStopped),
        encoding: encoding(of: film, readBy: reader), progress: progress, lastPicture: lastPicture)
      while try maker.makeNext(&record) {}
      guard isStopped() else { return (decoder.finish(), decoder.noteOfSizes) }
    } catch is CancellationError where Interruption.hasCome {
      // Ctrl-C was pressed before the first frame.
    } catch {
      stop.stop()
      _ = decoder.end()
      guard let error = error as? DepthError, error.file == nil else { throw error }
      throw error.naming(error.code == .unwritable ? output.relativePath : input)
    }
    _ = decoder.end()
    return (nil, decoder.noteOfSizes)
  }

  private func encoding(of film: InputFilm, readBy reader: FrameReader? = nil) -> FilmEncoding {
    FilmEncoding(
      of: film, readBy: reader, by: recipe.encoder, packing: recipe.stereo?.packing,
      isGray: recipe.request.isGray, tools: tools)
  }

  /// Runs work. Errors then name the new film instead of temporary files.
  private func namingOutput<R>(_ work: () throws -> R) throws -> R {
    do { return try work() } catch let error as DepthError {
      throw DepthError(error.code, file: output.relativePath, error.message, cause: error.cause)
    }
  }

  private func noFrame(of film: InputFilm, _ fault: String?) -> DepthError {
    DepthError.unreadable(
      file: input,
      reason: fault.map { "no frame of it can be decoded (ffmpeg: \($0))" }
        ?? film.excerpt.start.map { "has no frame at \($0.rounded(toDigits: 1)) s or later" }
        ?? "no frame of it can be decoded")
  }

  /// Joins the segments with the sound, and moves the film to its path.
  private func join(
    _ record: FilmFolder.Record, of film: InputFilm, by carried: CarriedStreams,
    _ folder: FilmFolder, lastUntil lastEnd: Int?, upTo end: Double?
  ) throws {
    let whole = folder.path(FilmFolder.whole)
    let pieces = record.segments.map {
      FilmMuxer.Piece(file: folder.path($0.file), microseconds: $0.microseconds)
    }
    try namingOutput {
      try FilmMuxer(
        input, encoding(of: film), metadata: recipe.request.effect.picture.metadata
      ).write(
        pieces, by: carried.handlings, lastUntil: lastEnd, upTo: end, to: whole,
        as: FilmContainer(output))
    }
    try AtomicFile.move(whole, to: try target(), overwrite: mayReplace)
  }
}
