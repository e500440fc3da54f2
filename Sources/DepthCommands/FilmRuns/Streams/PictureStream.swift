import DepthImages
import FrameStreams
import MonocularDepth
import StereoPhotos

/// What `depth stereo --stream` and `depth effect … --stream` have in common: frames on standard input → pictures on
/// standard output.
struct PictureStream {
  let options: PictureStreamOptions
  /// JPEG quality of Motion JPEG frames.
  let quality: Int
  let command: any PhotoDepthCommand

  /// `depth stereo --stream`.
  ///
  /// - Throws: A validation error for what only photos have; `DepthError`; the status of Ctrl-C.
  func run(_ request: StereoRequest) throws {
    let (format, parallax) = (request.stereoFormat, request.parallax)
    try namingOptions { () throws(InvalidRequest) in try parallax.checkFilm(format) }
    try run(colors: format.mixesViews ? .unshared : .shared, makesViews: true) {
      pipeline, framesPerSecond, threads in
      StereoPictures(
        pipeline: pipeline,
        options: parallax.options(
          focalLength: command.camera.setting.givenFocalLength, threads: threads),
        format: format, isSteady: options.steadiness != .none, framesPerSecond: framesPerSecond,
        threads: threads)
    }
  }

  /// `depth effect … --stream`.
  ///
  /// - Throws: `DepthError`; the status of Ctrl-C.
  func run(_ effect: PhotoEffect) throws {
    try run(options: .unrefined, colors: effect.isMask ? .gray : .shared) {
      pipeline, framesPerSecond, threads in
      EffectPictures(
        pipeline: pipeline, effect: effect, isSteady: options.steadiness != .none,
        framesPerSecond: framesPerSecond, threads: threads)
    }
  }

  /// Makes a picture of each frame until the stream ends.
  ///
  /// - Parameters:
  ///   - wanted: The options of the maps that pictures are made of.
  ///   - colors: What the pictures' colors are stored as.
  ///   - makesViews: Whether pictures are views.
  ///   - pictures: The maker of pictures, for frames per second and threads per frame.
  private func run(
    options wanted: DepthOptions = DepthOptions(), colors: PictureColors, makesViews: Bool = false,
    pictures: (MapEstimation, _ framesPerSecond: Double, _ threads: Int) -> any FramePictures
  ) throws {
    let correction = try command.calibration.read()
    try FrameStreamRun(
      frames: options.frames, queue: options.queue, limits: command.limits.limits,
      threads: command.common.threads, isQuiet: command.common.quiet
    ).run(interpolatesChroma: true, makesViews: makesViews) { reader, threads in
      let estimator = try command.common.weights.estimator(
        threads: threads, loadingThreads: command.common.threads)
      try correction?.warn(for: estimator, refinement: DepthOptions().refinement)
      let pipeline = MapEstimation(
        estimator, options: wanted, camera: command.camera.setting, calibration: correction,
        limits: command.limits.limits)
      let (rate, aspect, frames) = (
        options.frames.rate(of: reader), reader.pixelAspect, reader.stored
      )
      let pictures = FilmPictures(
        frames: FramePipeline(
          pipeline, steadiness: options.steadiness, threads: threads, findsMotion: true,
          depthEvery: options.depthEvery ?? 1),
        pictures: pictures(pipeline, rate.value ?? 30, threads))
      let (format, quality) = (options.to ?? .same, quality)
      return (
        estimator.precision,
        { frame, steps in
          guard let picture = try pictures.picture(of: frame, number: steps.index, steps: steps)
          else { return nil }
          let size = PixelSize(width: picture.width, height: picture.height)
          let encoder = PictureFrameEncoder(
            storage: format.storage(of: frames, colors: colors, size: size), rate: rate,
            pixelAspect: aspect, quality: quality)
          return FrameStreamRun.Output(
            header: encoder.header(size: size),
            bytes: try encoder.frame(picture))
        }
      )
    }
  }
}
