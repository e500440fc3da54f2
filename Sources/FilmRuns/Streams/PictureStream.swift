package import DepthOptions
import DepthPipeline
import FrameRuns
import MonocularDepth
import PhotoRuns

/// What `depth stereo --stream` and `depth effect … --stream` have in common: the options of a stream of pictures.
package struct PictureStream {
  let options: PictureStreamOptions
  private let quality: Int
  let camera: CameraOptions
  private let calibration: CalibrationOptions
  private let limits: LimitOptions
  private let common: CommonOptions

  /// - Parameter quality: That of pictures written as Motion JPEG.
  package init(
    options: PictureStreamOptions, quality: Int, camera: CameraOptions,
    calibration: CalibrationOptions, limits: LimitOptions, common: CommonOptions
  ) {
    (self.options, self.quality, self.camera) = (options, quality, camera)
    (self.calibration, self.limits, self.common) = (calibration, limits, common)
  }

  /// Makes a picture of each frame until the stream ends.
  ///
  /// - Parameters:
  ///   - settings: The settings of the maps that pictures are made of.
  ///   - colors: What the pictures' colors are stored as.
  ///   - pictures: The maker of pictures, for frames per second and threads per frame.
  /// - Throws: `DepthError`; the status of Ctrl-C.
  func run(
    settings: MapSettings = MapSettings(), colors: PictureColors,
    pictures: (DepthPipeline, _ framesPerSecond: Double, _ threads: Int) -> any FramePictures
  ) throws {
    let correction = try calibration.read()
    try PictureStreamRun(
      options: options, limits: limits.limits, threads: common.threads, isQuiet: common.quiet,
      quality: quality, colors: colors
    ).run(
      pipeline: { threads in
        let estimator = try common.frameEstimator(threads: threads)
        try correction?.check(estimator.unit)
        try correction?.note(for: estimator, refinement: MapSettings().method)
        return DepthPipeline(
          estimator, settings: settings, camera: camera.setting, calibration: correction,
          limits: limits.limits)
      }, pictures: pictures)
  }
}
