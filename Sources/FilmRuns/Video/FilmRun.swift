import AtomicFiles
import DepthErrors
import DepthImages
import FrameStreams
import PhotoRuns
import StereoPhotos
import SystemEssentials

/// One film through ffmpeg, the network and ffmpeg again.
struct FilmRun {
  /// What is asked for, of all films.
  struct Wish: Sendable {
    var encoding: EncodingOptions
    var part: FilmPart
    /// Seconds that are tried from the middle; `nil` for the whole film.
    var preview: Double?
    /// Seconds of film in one segment; `nil` without segments.
    var segment: Double?
    var stereo: StereoFormat?
    /// Gray levels instead of colors.
    var isGray: Bool
    var overwrite, isQuiet: Bool
    var threads: Int
    var limits: ImageLimits
    /// Everything that pictures depend on, the program's version first.
    var recipe: [String]
  }

  /// How one ended.
  struct Outcome: Sendable {
    var frames = 0
    var notes: [String] = []
  }

  let input: String
  let output: URL
  let wish: Wish
  let tools: FFmpeg
  /// Makes the work on the frames of a film.
  let work: (_ framesPerSecond: Double) -> FilmWork

  /// Makes the film.
  ///
  /// - Throws: `DepthError`; the status of Ctrl-C, after which the part that is done is there.
  func run() throws -> Outcome {
    if !wish.overwrite, FileFacts(of: output) != nil {
      throw DepthError.fileExists(output.relativePath)
    }
    let probe = try FilmProbe(input, by: tools)
    guard let video = probe.video else { preconditionFailure("a film without pictures") }
    let decoding = try FilmDecoding(video, of: input, tools: tools)
    let part = part(of: probe)
    let folder = try FilmFolder(for: output)
    // What an earlier run has left stays where this one is refused.
    let record = try record(folder, part)
    do {
      let outcome = try run(probe, video, decoding, part, folder, from: record)
      folder.remove()
      return outcome
    } catch {
      // Whole segments are worth keeping.
      if wish.segment == nil || folder.record?.segments.isEmpty ?? true { folder.remove() }
      throw error
    }
  }

  private func part(of probe: FilmProbe) -> FilmPart {
    guard let preview = wish.preview else { return wish.part }
    let start = max(((probe.seconds ?? 0) - preview) / 2, 0)
    return FilmPart(start: start > 0 ? start : nil, duration: preview)
  }

  private func run(
    _ probe: FilmProbe, _ video: FilmProbe.Stream, _ decoding: FilmDecoding, _ part: FilmPart,
    _ folder: FilmFolder, from start: FilmFolder.Record
  ) throws -> Outcome {
    var record = start
    let rate = video.rate ?? Ratio(25, 1)
    let framesPerSecond = rate.value ?? 25
    // Damaged files claim any rate and length.
    let frameDuration = Int(exactly: (1_000_000 / framesPerSecond).rounded()) ?? 40_000
    let seconds = min(
      part.duration ?? .infinity, (probe.seconds ?? .infinity) - (part.start ?? 0))
    let progress = FilmProgress(
      name: input, total: Int(exactly: (seconds * framesPerSecond).rounded()),
      isShown: !wish.isQuiet)
    let work = work(framesPerSecond)
    if let name = record.memory {
      work.memory = try folder.memory(name)
      progress.resume(at: record.frames)
    }
    let decoder = try FilmDecoder(
      input, stream: video.index, decoding: decoding, part: part, skipping: record.frames,
      frameDuration: frameDuration, tools: tools)
    let stop = StopFlag()
    let shown = ShownTime()
    let isStopped: @Sendable () -> Bool = { stop.isStopped || Interruption.hasCome }
    var fault: String?
    do {
      let reader = try decoder.reader(
        decoding, limits: wish.limits, firstIndex: record.frames, isStopped: isStopped)
      let source = FilmSource(
        reader: reader, decoder: decoder, origin: record.segments.first?.microseconds,
        segment: wish.segment, isStopped: isStopped)
      while try makeSegment(
        &record, from: source, work, folder,
        FilmFormat.Parts(
          stored: reader.stored, pixelAspect: reader.pixelAspect, frameDuration: frameDuration,
          decoding: decoding, video: video), progress, shown)
      {}
      fault = isStopped() ? nil : decoder.finish()
    } catch is CancellationError where Interruption.hasCome {
      // Ctrl-C before the first frame.
    } catch {
      progress.clear()
      stop.stop()
      _ = decoder.end()
      guard let error = error as? DepthError, error.file == nil else { throw error }
      throw error.of(error.code == .unwritable ? output.relativePath : input)
    }
    progress.clear()
    if Interruption.hasCome {
      _ = decoder.end()
      if wish.segment != nil {
        Console.note(
          "depth: \(stopNote(segments: record.segments.count))".escapingControls + "\n")
        throw Interruption.exitCode
      }
    }
    guard !record.segments.isEmpty else {
      if Interruption.hasCome { throw Interruption.exitCode }
      throw DepthError.unreadable(
        file: input,
        reason: fault.map { "ffmpeg: \($0)" }
          ?? part.start.map { "has no frame from \(StreamMeter.tenths($0)) s on" }
          ?? "no frame of it can be decoded")
    }
    var outcome = Outcome(frames: record.frames)
    // Nothing is shown where an earlier run has made all segments.
    let last = shown.end.map { Double($0 + frameDuration) / 1_000_000 }
    if !Interruption.hasCome, let note = probe.fault(fault, endingAt: last, of: part) {
      outcome.notes.append(note)
    }
    outcome.notes += decoding.notes
    // What Ctrl-C has cut short ends with its last picture.
    outcome.notes += try join(
      record, probe, part, folder, upTo: Interruption.hasCome ? last : nil)
    if !wish.isQuiet {
      Console.note("depth: \(output.relativePath.escapingControls): \(progress.summary())\n")
    }
    if Interruption.hasCome { throw Interruption.exitCode }
    return outcome
  }

  /// Puts the segments together with the sound, and gives the film its name.
  ///
  /// - Returns: What was left out.
  private func join(
    _ record: FilmFolder.Record, _ probe: FilmProbe, _ part: FilmPart, _ folder: FilmFolder,
    upTo end: Double?
  ) throws -> [String] {
    let container = try FilmContainer(output)
    let whole = folder.path("whole.part")
    let muxer = FilmMuxer(
      path: input, probe: probe, part: part, stereo: wish.stereo, tools: tools)
    let pieces = record.segments.map {
      FilmMuxer.Piece(file: folder.path($0.file), microseconds: $0.microseconds)
    }
    let notes: [String]
    do {
      notes = try muxer.write(pieces, upTo: end, to: whole, as: container.name)
    } catch let error as DepthError { throw error.of(output.relativePath) }
    if !wish.overwrite, FileFacts(of: output) != nil {
      throw DepthError.fileExists(output.relativePath)
    }
    guard unsafe rename(whole, output.path(percentEncoded: false)) == 0 else {
      throw DepthError.unwritable(file: output.relativePath, reason: systemReason(errno))
    }
    return notes.map { "leaves out \($0)" }
  }
}

extension DepthError {
  /// The same failure, of a file.
  fileprivate func of(_ file: String) -> DepthError {
    DepthError(code, file: file, message, cause: cause)
  }
}
