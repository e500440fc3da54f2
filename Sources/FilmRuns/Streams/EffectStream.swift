package import DepthOptions
import DepthPipeline
import FrameRuns
import MonocularDepth
import PhotoRuns

/// `depth effect … --stream`.
package struct EffectStream {
  private let stream: PictureStreamOptions
  private let effect: PhotoEffect
  private let quality: Int
  private let camera: CameraOptions
  private let calibration: CalibrationOptions
  private let limits: LimitOptions
  private let common: CommonOptions

  package init(
    stream: PictureStreamOptions, effect: PhotoEffect, quality: Int, camera: CameraOptions,
    calibration: CalibrationOptions, limits: LimitOptions, common: CommonOptions
  ) {
    (self.stream, self.effect, self.quality) = (stream, effect, quality)
    (self.camera, self.calibration) = (camera, calibration)
    (self.limits, self.common) = (limits, common)
  }

  /// - Throws: `DepthError`.
  package func run() throws {
    let correction = try calibration.read()
    try PictureStreamRun(
      options: stream, limits: limits.limits, threads: common.threads, isQuiet: common.quiet,
      quality: quality, colors: effect.isMask ? .gray : .shared
    ).run(
      pipeline: { threads in
        let estimator = try common.frameEstimator(threads: threads)
        try correction?.note(for: estimator, refinement: MapSettings().method)
        return DepthPipeline(
          estimator, settings: .unrefined, camera: camera.setting, calibration: correction,
          limits: limits.limits)
      },
      pictures: { pipeline, framesPerSecond, threads in
        EffectPictures(
          pipeline: pipeline, effect: effect, isSteady: stream.steadiness != .none,
          framesPerSecond: framesPerSecond, threads: threads)
      })
  }
}
