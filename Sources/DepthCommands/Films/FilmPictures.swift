import DepthImages
import DepthVideo
import FrameStreams
import MonocularDepth
import ViewSynthesis

extension FilmRequest {
  /// The pictures of one film.
  ///
  /// - Parameters:
  ///   - threads: Threads of each frame.
  ///   - tell: A function that is called for the first frame whose metres are unreliable.
  func pictures(
    estimation: MapEstimation, framesPerSecond: Double, threads: Int = 1,
    tell: (@Sendable (_ frame: String, MetricFit) -> Void)? = nil
  ) -> FilmPictures {
    FilmPictures(
      frames: FramePipeline(
        estimation, smoothing: steady, threads: threads, findsMotion: true,
        framesPerSecond: framesPerSecond, depthEvery: depthEvery, tell: tell),
      pictures: maker(estimation, framesPerSecond, threads: threads))
  }

  private func maker(
    _ estimation: MapEstimation, _ framesPerSecond: Double, threads: Int
  ) -> any FramePictures {
    let isSteady = steady != .none
    if let format = stereo?.format {
      return StereoPictures(
        estimation: estimation,
        options: parallax.options(focalLength: effect.camera.setting.givenFocalLength),
        format: format, isSteady: isSteady, framesPerSecond: framesPerSecond, threads: threads)
    }
    guard effect.effect != nil else {
      return DepthPictures(
        estimation: estimation, colorMap: colorMap, fixedRange: pictureRange?.disparities,
        threads: threads)
    }
    return EffectPictures(
      estimation: estimation, effect: effect, isSteady: isSteady, framesPerSecond: framesPerSecond,
      threads: threads)
  }
}

/// A maker of a film's pictures, one per frame.
protocol FramePictures: FrameMaker where Output == Image {
  /// Saves the state that is kept between frames.
  func save(into memory: inout FilmMemory)
  func restore(from memory: FilmMemory)
  /// A note on the pictures so far; `nil` if there is none.
  var note: String? { get }
}

extension FramePictures {
  var note: String? { nil }
}

/// The pictures of one film: the pipeline of its frames and the maker of its pictures.
struct FilmPictures: Sendable {
  let frames: FramePipeline
  let pictures: any FramePictures

  /// The picture of a frame; see ``FramePipeline/output(of:number:steps:by:)``.
  func picture(of frame: EncodedFrame, number: Int, steps: OrderedSteps) throws -> Image? {
    try frames.output(of: frame, number: number, steps: steps, by: pictures)
  }

  /// The state between frames, from which a later run resumes. No frame may be in progress.
  var memory: FilmMemory {
    get {
      var memory = FilmMemory(frames: frames.saved)
      pictures.save(into: &memory)
      return memory
    }
    nonmutating set {
      frames.restore(newValue.frames)
      pictures.restore(from: newValue)
    }
  }
}

/// The whole state that is kept from a film's earlier frames.
struct FilmMemory: Sendable, Codable {
  var frames = FramePipeline.Saved()
  /// The span that parallax or focus follows.
  var span: SpanFollower?
  var holes: HoleHistory.Saved?
  var range: PictureRange?

  /// Whether all counts match. Counts differ only in a damaged file.
  var isConsistent: Bool {
    frames.isConsistent && (holes?.isConsistent ?? true)
  }
}
