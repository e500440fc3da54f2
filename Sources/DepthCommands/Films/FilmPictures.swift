import DepthImages
import DepthVideo
import FrameStreams
import MonocularDepth
import ViewSynthesis

extension FilmRequest {
  /// The pictures of one film, with one thread per frame.
  func pictures(estimation: MapEstimation, framesPerSecond: Double) -> FilmPictures {
    FilmPictures(
      frames: FramePipeline(
        estimation, smoothing: steady, threads: 1, findsMotion: true,
        framesPerSecond: framesPerSecond, depthEvery: depthEvery),
      pictures: maker(estimation: estimation, framesPerSecond: framesPerSecond))
  }

  private func maker(estimation: MapEstimation, framesPerSecond: Double) -> any FramePictures {
    let isSteady = steady != .none
    if let format = stereo?.format {
      return StereoPictures(
        estimation: estimation,
        options: parallax.options(focalLength: effect.camera.setting.givenFocalLength),
        format: format, isSteady: isSteady, framesPerSecond: framesPerSecond, threads: 1)
    }
    guard effect.effect != nil else {
      return DepthPictures(
        estimation: estimation, colorMap: colorMap, fixedRange: pictureRange?.disparities,
        threads: 1)
    }
    return EffectPictures(
      estimation: estimation, effect: effect, isSteady: isSteady, framesPerSecond: framesPerSecond,
      threads: 1)
  }
}

/// Makes a picture of each frame of a film.
protocol FramePictures: FrameMaker where Output == Image {
  /// Saves the state from frame to frame.
  func save(into memory: inout FilmMemory)
  func restore(from memory: FilmMemory)
  /// A note on the pictures so far; `nil` for none.
  var note: String? { get }
}

extension FramePictures {
  var note: String? { nil }
}

/// The pictures of one film: the pipeline of its frames, and the maker of its pictures.
struct FilmPictures: Sendable {
  let frames: FramePipeline
  let pictures: any FramePictures

  /// The picture of a frame, as ``FramePipeline/output(of:number:steps:by:)``.
  func picture(of frame: EncodedFrame, number: Int, steps: OrderedSteps) throws -> Image? {
    try frames.output(of: frame, number: number, steps: steps, by: pictures)
  }

  /// The state from frame to frame, from which a later run continues; no frame may be in progress.
  var memory: FilmMemory {
    get {
      var memory = FilmMemory()
      frames.save(into: &memory)
      pictures.save(into: &memory)
      return memory
    }
    nonmutating set {
      frames.restore(from: newValue)
      pictures.restore(from: newValue)
    }
  }
}

/// All that the pictures of a film have of earlier frames.
struct FilmMemory: Sendable, Codable {
  var temporalFilter: TemporalDepthFilter.Saved?
  var metres: SteadyMetres?
  var camera: ShotCamera?
  var motion: FilmMotion?
  var propagation: DepthPropagation.Saved?
  /// Span that parallax or focus follow.
  var span: SpanFollower?
  var holes: HoleHistory.Saved?
  var range: PictureRange?

  /// Whether all counts match; a damaged file may have counts that do not.
  var isConsistent: Bool {
    (temporalFilter?.isConsistent ?? true) && (motion?.isConsistent ?? true)
      && (propagation?.isConsistent ?? true) && (holes?.isConsistent ?? true)
  }
}
