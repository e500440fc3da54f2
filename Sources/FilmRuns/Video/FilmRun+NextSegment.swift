import AtomicFiles
import DepthErrors
import DepthImages
import FrameStreams
import PhotoRuns
import Synchronization
import SystemEssentials

extension FilmRun {
  /// Makes the next segment.
  ///
  /// - Returns: Whether another one may follow.
  func makeSegment(
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
        let picture = try work.picture(of: film.frame, number: film.frame.index, turn: turn)
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
}

/// The time of the last picture that was encoded; `nil` before the first one.
final class ShownTime: Sendable {
  private let microseconds = Mutex<Int?>(nil)

  var end: Int? {
    get { microseconds.withLock { $0 } }
    set { microseconds.withLock { $0 = newValue } }
  }
}
