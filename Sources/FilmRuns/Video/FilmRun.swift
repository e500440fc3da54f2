import AtomicFiles
import DepthErrors
import DepthImages
import FrameRuns
import FrameStreams
import PhotoRuns
import StereoPhotos
import Synchronization
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
  /// The work on frames, for frames per second.
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
    let frameDuration = Int((1_000_000 / framesPerSecond).rounded())
    let seconds = min(
      part.duration ?? .infinity, (probe.seconds ?? .infinity) - (part.start ?? 0))
    let progress = FilmProgress(
      name: input, total: seconds.isFinite ? Int((seconds * framesPerSecond).rounded()) : nil,
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
    } catch {
      progress.clear()
      stop.stop()
      _ = decoder.end()
      throw (error as? DepthError).map { $0.file == nil ? $0.of(input) : $0 } ?? error
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
        reason: fault.map { "ffmpeg: \($0)" } ?? probe.absence(from: part.start)
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

  /// Makes the next segment.
  ///
  /// - Returns: Whether another one may follow.
  private func makeSegment(
    _ record: inout FilmFolder.Record, from source: FilmSource, _ work: FilmWork,
    _ folder: FilmFolder, _ parts: FilmFormat.Parts, _ progress: FilmProgress,
    _ shown: ShownTime
  ) throws -> Bool {
    guard let first = try source.beginSegment() else { return false }
    let number = String(100_000 + record.segments.count).dropFirst()
    let name = "\(number).video"
    let unfinished = folder.path("\(number)-\(getpid()).part")
    let encoder = Mutex<FilmEncoder?>(nil)
    let (wish, tools, threads) = (wish, tools, record.encoderThreads)
    let workers = FrameWorkers(
      next: { try source.next() },
      work: { film, turn -> EncodedPicture? in
        let picture = try work.picture(of: film.frame, turn: turn)
        return picture.map { picture in
          let layout = parts.layout(isGray: wish.isGray, stereo: wish.stereo)
          return EncodedPicture(
            size: PixelSize(width: picture.width, height: picture.height), layout: layout,
            planes: layout.planes(picture), microseconds: film.microseconds)
        }
      },
      deliver: { picture in
        progress.count()
        guard let picture else { return }
        let child = try encoder.withLock { encoder in
          if let encoder { return encoder }
          let made = try FilmEncoder(
            parts.format(of: picture),
            arguments: wish.encoding.arguments(
              packing: wish.stereo?.framePacking,
              isLimited: parts.video.colorRange == "tv", threads: threads),
            isVAAPI: wish.encoding.isVAAPI, to: unfinished,
            as: wish.encoding.pieceFormat, tools: tools)
          encoder = made
          return made
        }
        try child.encode(picture.planes, microseconds: picture.microseconds - first)
        shown.end = picture.microseconds
      })
    do {
      // One worker more than processors, for those that wait for their turn or for a frame.
      try workers.run(threads: wish.threads + 1)
      guard let made = encoder.withLock({ $0 }) else { return !source.hasEnded }
      // A segment that Ctrl-C cut short is no whole one.
      if wish.segment != nil, Interruption.hasCome {
        made.abandon()
        return false
      }
      try made.finish()
    } catch {
      encoder.withLock { $0 }?.abandon()
      throw error
    }
    guard unsafe rename(unfinished, folder.path(name)) == 0 else {
      throw DepthError.unwritable(file: folder.path(name), reason: systemReason(errno))
    }
    record.segments.append(.init(file: name, frames: source.taken, microseconds: first))
    record.frames += source.taken
    if wish.segment != nil {
      let old = record.memory
      let memory = "memory-\(record.segments.count).plist"
      try folder.write(work.memory, as: memory)
      record.memory = memory
      try folder.write(record)
      if let old { unsafe unlink(folder.path(old)) }
    }
    return !source.hasEnded && !Interruption.hasCome
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

/// A picture on its way to the encoder.
private struct EncodedPicture: Sendable {
  let size: PixelSize
  let layout: PlanarLayout
  let planes: [UInt8]
  let microseconds: Int
}

/// The time of the last picture that was encoded; `nil` before the first one.
private final class ShownTime: Sendable {
  private let microseconds = Mutex<Int?>(nil)

  var end: Int? {
    get { microseconds.withLock { $0 } }
    set { microseconds.withLock { $0 = newValue } }
  }
}

extension FilmFormat {
  /// What the format follows from, beside the pictures themselves.
  fileprivate struct Parts: Sendable {
    let stored: FrameStorage
    let pixelAspect: Ratio
    let frameDuration: Int
    let decoding: FilmDecoding
    let video: FilmProbe.Stream

    /// How pictures are stored: as the film, with colors where it has none.
    ///
    /// Interleaved views are 4:4:4: the screens that show them take each row or column from one eye. Anaglyphs are
    /// not, although subsampled chroma mixes the colors of both eyes a little (``StereoFormat/mixesViews``, which
    /// streams follow): they are for ordinary screens, whose players and decoders mostly know 4:2:0 only.
    func layout(isGray: Bool, stereo: StereoFormat?) -> PlanarLayout {
      guard case .y4m(var layout) = stored else { preconditionFailure("ffmpeg sends YUV4MPEG2") }
      layout = layout.opaque
      if layout.chroma == .none, !isGray { layout.chroma = .quarter }
      return stereo == .rowInterleaved || stereo == .columnInterleaved ? layout.unshared : layout
    }

    func format(of picture: EncodedPicture) -> FilmFormat {
      var tags = decoding.tags
      // Players guess what is not said, by the size, which is another one now.
      if !tags.contains("-colorspace"), picture.layout.chroma != .none,
        picture.layout.matrix
          != .assumed(width: picture.size.width, height: picture.size.height)
      {
        tags += ["-colorspace", picture.layout.matrix == .bt709 ? "bt709" : "smpte170m"]
      }
      if picture.layout.chroma == .quarter {
        let place =
          switch picture.layout.siting {
          case .center: "center"
          case .left: "left"
          case .topLeft: "topleft"
          }
        tags += ["-chroma_sample_location", place]
      }
      return FilmFormat(
        layout: picture.layout, size: picture.size, pixelAspect: pixelAspect,
        frameDuration: frameDuration, tags: tags)
    }
  }
}

extension DepthError {
  /// The same failure, of a file.
  fileprivate func of(_ file: String) -> DepthError {
    DepthError(code, file: file, message, cause: cause)
  }
}
