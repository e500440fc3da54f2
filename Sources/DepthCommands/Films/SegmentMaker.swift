import DepthBase
import FilmFiles
import FrameStreams
import Synchronization
import SystemEssentials

/// Makes the segments of one film, one after another.
struct SegmentMaker {
  let settings: FilmBatch.Settings
  let folder: FilmFolder
  let pictures: FilmPictures
  let source: FilmFrames
  let encoding: FilmEncoding
  let progress: FilmProgress
  let lastPicture: LastPictureTime

  /// Makes the next segment and adds it to the record.
  ///
  /// - Returns: Whether another segment may follow.
  func makeNext(_ record: inout FilmFolder.Record) throws -> Bool {
    guard let first = try source.beginSegment() else { return false }
    let number = String(100_000 + record.segments.count).dropFirst()
    let file = "\(number).video"
    let unfinished = folder.path("\(number)-\(getpid()).part")
    let isWhole = try encode(to: unfinished, from: first, threads: record.encoderThreads)
    let mayFollow = !source.hasEnded && !Interruption.hasCome
    guard isWhole else { return mayFollow }
    try AtomicFile.move(unfinished, to: folder.url.appending(path: file))
    record.segments.append(.init(file: file, frames: source.taken, microseconds: first))
    record.frames += source.taken
    record.last = source.last
    if settings.recipe.segment != nil { try keep(&record) }
    return mayFollow
  }

  /// Encodes the segment's pictures.
  ///
  /// - Parameters:
  ///   - first: Time of the segment's first frame, in microseconds.
  ///   - threads: Threads of the encoder; their number affects its output.
  /// - Returns: Whether the segment is complete; `false` after Ctrl-C, or if no frame produced a
  ///   picture.
  private func encode(to file: String, from first: Int, threads: Int) throws -> Bool {
    let encoder = Mutex<FilmEncoder?>(nil)
    let workers = FrameWorkers(
      next: { try source.next() },
      work: { film, steps -> EncodedPicture? in
        try pictures.picture(of: film.frame, number: film.frame.index, steps: steps)
          .map { encoding.encoded($0, microseconds: film.microseconds) }
      },
      deliver: { picture in
        progress.count()
        guard let picture else { return }
        let child = try encoder.withLock { encoder in
          if let encoder { return encoder }
          let made = try encoding.encoder(of: picture, to: file, threads: threads)
          encoder = made
          return made
        }
        try child.encode(picture.planes, microseconds: picture.microseconds - first)
        lastPicture.microseconds = picture.microseconds
      })
    do {
      // One worker more than processors, since some workers wait for their turn or for a frame.
      try workers.run(threads: settings.threads + 1)
      guard let made = encoder.withLock({ $0 }) else { return false }
      if settings.recipe.segment != nil, Interruption.hasCome {
        made.abandon()
        return false
      }
      try made.finish()
      return true
    } catch {
      encoder.withLock { $0 }?.abandon()
      throw error
    }
  }

  /// Saves the state for a later run, which resumes after the last segment.
  private func keep(_ record: inout FilmFolder.Record) throws {
    let old = record.memory
    let memory = "memory-\(record.segments.count).plist"
    try folder.write(pictures.memory, as: memory)
    record.memory = memory
    try folder.write(record)
    if let old { folder.removeFile(old) }
  }
}
