import ArgumentParser
package import DepthOptions
import DepthPipeline
import FrameRuns
package import StereoPhotos
import ViewSynthesis

/// `depth stereo --stream`.
package struct StereoStream {
  private let stream: PictureStream
  private let parallax: ParallaxOptions
  private let format: StereoFormat

  package init(_ stream: PictureStream, parallax: ParallaxOptions, format: StereoFormat) {
    (self.stream, self.parallax, self.format) = (stream, parallax, format)
  }

  /// - Throws: A validation error for what only photos have; `DepthError`.
  package func run() throws {
    try parallax.checkFilm(format)
    try stream.run(colors: format.mixesViews ? .unshared : .shared) {
      pipeline, framesPerSecond, threads in
      StereoPictures(
        pipeline: pipeline,
        options: parallax.options(focalLength: stream.camera.setting.given, threads: threads),
        format: format, isSteady: stream.options.steadiness != .none,
        framesPerSecond: framesPerSecond, threads: threads)
    }
  }
}

extension ParallaxOptions {
  /// Refuses what a film cannot have.
  ///
  /// - Throws: A validation error.
  package func checkFilm(_ format: StereoFormat) throws {
    guard format.isOnePicture else {
      let names = StereoFormat.all.filter(\.isOnePicture).map(\.name).joined(separator: ", ")
      throw ValidationError("--format \(format.name) is not for films, expected \(names)")
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
