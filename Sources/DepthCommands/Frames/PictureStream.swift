import DepthImages
import FrameStreams
import MonocularDepth
import StereoPhotos
import Synchronization

/// The stream of `depth stereo --stream` and `depth effect … --stream`: frames on standard input → pictures on
/// standard output.
struct PictureStream {
  let frames: FrameInput
  let format: PictureStreamFormat
  let smoothing: TemporalSmoothing
  let depthEvery: Int
  let queue: FrameQueue
  /// JPEG quality of Motion JPEG frames.
  let quality: Int
  let estimation: FrameEstimation
  let isQuiet: Bool

  /// `depth stereo --stream`.
  ///
  /// - Throws: ``InvalidRequest`` for what only photos have; `DepthError`; the status of Ctrl-C.
  func run(_ request: StereoRequest) throws {
    let (format, parallax) = (request.stereoFormat, request.parallax)
    try parallax.checkFilm(format)
    try run(
      colors: format.mixesViews ? .unshared : .shared, makesViews: true,
      usesMetres: request.purposeOfMetres != nil, background: parallax.background
    ) {
      loaded, framesPerSecond, threads in
      StereoPictures(
        estimation: loaded,
        options: parallax.options(focalLength: estimation.options.camera.givenFocalLength),
        format: format, isSteady: smoothing != .none, framesPerSecond: framesPerSecond,
        threads: threads)
    }
  }

  /// `depth effect … --stream`.
  ///
  /// - Throws: `DepthError`; the status of Ctrl-C.
  func run(_ effect: EffectRequest) throws {
    try run(
      colors: effect.effect == .mask ? .gray : .shared, usesMetres: effect.purposeOfMetres != nil
    ) {
      loaded, framesPerSecond, threads in
      EffectPictures(
        estimation: loaded, effect: effect, isSteady: smoothing != .none,
        framesPerSecond: framesPerSecond, threads: threads)
    }
  }

  /// Makes a picture of each frame until the stream ends.
  ///
  /// - Parameters:
  ///   - colors: The color storage of the pictures.
  ///   - makesViews: Whether pictures are views.
  ///   - usesMetres: Whether distances are used.
  ///   - background: The depth of the background.
  ///   - pictures: The maker of pictures, for frames per second and threads per frame.
  private func run(
    colors: PictureColors, makesViews: Bool = false, usesMetres: Bool,
    background: DepthOptions.Background = .farthest,
    pictures: (MapEstimation, _ framesPerSecond: Double, _ threads: Int) -> any FramePictures
  ) throws {
    var estimation = estimation
    estimation.options.relativeDepth = usesMetres ? .metres(isBounded: false) : .relative
    estimation.options.background = background
    try StreamRun(
      frames: frames, queue: queue, limits: estimation.options.limits, threads: estimation.threads,
      isQuiet: isQuiet
    ).run(interpolatesChroma: true, makesViews: makesViews) { [estimation] reader, threads in
      let loaded = try estimation.loaded(threads: threads)
      let (rate, aspect, frames) = (
        self.frames.rate(of: reader), reader.pixelAspect, reader.stored
      )
      let framesPerSecond = self.frames.framesPerSecond(of: reader)
      let pictures = FilmPictures(
        frames: FramePipeline(
          loaded, smoothing: smoothing, threads: threads, findsMotion: true,
          framesPerSecond: framesPerSecond, depthEvery: depthEvery, tellsNotes: !isQuiet),
        pictures: pictures(loaded, framesPerSecond, threads))
      let (format, quality, note) = (format, quality, OneNote(isQuiet: isQuiet))
      return (
        loaded.estimator.precision,
        { frame, steps in
          guard let picture = try pictures.picture(of: frame, number: steps.index, steps: steps)
          else { return nil }
          if let text = pictures.pictures.note { note.tell(text) }
          let size = PixelSize(width: picture.width, height: picture.height)
          let encoder = PictureFrameEncoder(
            storage: format.storage(of: frames, colors: colors, size: size), rate: rate,
            pixelAspect: aspect, quality: quality)
          return StreamRun.Output(
            header: encoder.header(size: size),
            bytes: try encoder.frame(picture))
        }
      )
    }
  }
}

/// A note on standard error that is told once.
private final class OneNote: Sendable {
  private let isTold: Atomic<Bool>

  init(isQuiet: Bool) { isTold = Atomic(isQuiet) }

  func tell(_ text: String) {
    guard !isTold.exchange(true, ordering: .relaxed) else { return }
    Console.note(text)
  }
}
