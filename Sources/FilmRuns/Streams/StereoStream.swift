import ArgumentParser
package import DepthOptions
import DepthPipeline
import FrameRuns
import MonocularDepth
import PhotoRuns
package import StereoPhotos
import ViewSynthesis

/// `depth stereo --stream`.
package struct StereoStream {
  private let stream: PictureStreamOptions
  private let parallax: ParallaxOptions
  private let format: StereoFormat
  private let quality: Int
  private let camera: CameraOptions
  private let calibration: CalibrationOptions
  private let limits: LimitOptions
  private let common: CommonOptions

  package init(
    stream: PictureStreamOptions, parallax: ParallaxOptions, format: StereoFormat, quality: Int,
    camera: CameraOptions, calibration: CalibrationOptions, limits: LimitOptions,
    common: CommonOptions
  ) {
    (self.stream, self.parallax, self.format, self.quality) = (stream, parallax, format, quality)
    (self.camera, self.calibration) = (camera, calibration)
    (self.limits, self.common) = (limits, common)
  }

  /// - Throws: A validation error for what only photos have; `DepthError`.
  package func run() throws {
    try parallax.checkFilm(format)
    let correction = try calibration.read()
    try PictureStreamRun(
      options: stream, limits: limits.limits, threads: common.threads, isQuiet: common.quiet,
      quality: quality, colors: format.mixesViews ? .unshared : .shared
    ).run(
      pipeline: { threads in
        let estimator = try common.frameEstimator(threads: threads)
        try correction?.note(for: estimator, refinement: MapSettings().method)
        return DepthPipeline(
          estimator, camera: camera.setting, calibration: correction, limits: limits.limits)
      },
      pictures: { pipeline, framesPerSecond, threads in
        StereoPictures(
          pipeline: pipeline,
          options: parallax.options(focalLength: camera.setting.given, threads: threads),
          format: format, isSteady: stream.steadiness != .none,
          framesPerSecond: framesPerSecond, threads: threads)
      })
  }
}

extension ParallaxOptions {
  /// Refuses what a film cannot have.
  ///
  /// - Throws: A validation error.
  package func checkFilm(_ format: StereoFormat) throws {
    guard format.isOnePicture else {
      let names = StereoFormat.all.filter(\.isOnePicture).map(\.name).joined(separator: ", ")
      throw ValidationError("--format \(format.name) is no film's, expected \(names)")
    }
    guard renderer == .warp else {
      throw ValidationError("--renderer \(renderer.rawValue) is for photos, expected warp")
    }
    guard frameEdges != .crop else {
      throw ValidationError(
        "--frame-edges crop cuts each frame to a size of its own, expected fill or flat")
    }
  }
}
