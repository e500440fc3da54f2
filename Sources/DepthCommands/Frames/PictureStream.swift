import DepthImages
import DepthVideo
import FrameStreams
import MonocularDepth
import StereoPhotos
import Synchronization

/// The stream of `depth stereo --stream` and `depth effect … --stream`, from standard input to standard output.
struct PictureStream {
  let film: FilmRequest
  let frames: FrameInput
  let format: PictureStreamFormat
  let queue: FrameQueue
  /// JPEG quality of Motion JPEG frames.
  let quality: Int
  let estimation: FrameEstimation
  let isQuiet: Bool

  /// Makes a picture of each frame until the stream ends.
  ///
  /// - Throws: `DepthError`; the exit status after Ctrl-C.
  func run() throws {
    try StreamRun(
      frames: frames, queue: queue, limits: estimation.options.limits, threads: estimation.threads,
      isQuiet: isQuiet
    ).run(interpolatesChroma: true, makesViews: film.stereo != nil) { reader, threads in
      let loaded = try estimation.loaded(threads: threads)
      let (rate, aspect, stored) = (frames.rate(of: reader), reader.pixelAspect, reader.stored)
      let pictures = film.pictures(
        estimation: loaded, framesPerSecond: frames.framesPerSecond(of: reader), threads: threads,
        tell: isQuiet ? nil : FramePipeline.tell)
      let (format, colors, quality) = (format, colors, quality)
      let note = OneNote(isQuiet: isQuiet)
      return (
        loaded.estimator.precision,
        { frame, steps in
          guard let picture = try pictures.picture(of: frame, number: steps.index, steps: steps)
          else { return nil }
          if let text = pictures.pictures.note { note.tell(text) }
          let size = PixelSize(width: picture.width, height: picture.height)
          let encoder = PictureFrameEncoder(
            storage: format.storage(of: stored, colors: colors, size: size), rate: rate,
            pixelAspect: aspect, quality: quality)
          return StreamRun.Output(
            header: encoder.header(size: size),
            bytes: try encoder.frame(picture))
        }
      )
    }
  }

  private var colors: PictureColors {
    film.isGray ? .gray : film.stereo?.format.mixesViews == true ? .unshared : .shared
  }
}

/// A note on standard error that is printed once.
private final class OneNote: Sendable {
  private let isTold: Atomic<Bool>

  init(isQuiet: Bool) { isTold = Atomic(isQuiet) }

  func tell(_ text: String) {
    guard !isTold.exchange(true, ordering: .relaxed) else { return }
    Console.note(text)
  }
}
