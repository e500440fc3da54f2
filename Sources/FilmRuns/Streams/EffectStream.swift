package import DepthOptions
import DepthPipeline
import FrameRuns

/// `depth effect … --stream`.
package struct EffectStream {
  private let stream: PictureStream
  private let effect: PhotoEffect

  package init(_ stream: PictureStream, effect: PhotoEffect) {
    (self.stream, self.effect) = (stream, effect)
  }

  /// - Throws: `DepthError`.
  package func run() throws {
    try stream.run(settings: .unrefined, colors: effect.isMask ? .gray : .shared) {
      pipeline, framesPerSecond, threads in
      EffectPictures(
        pipeline: pipeline, effect: effect, isSteady: stream.options.steadiness != .none,
        framesPerSecond: framesPerSecond, threads: threads)
    }
  }
}
