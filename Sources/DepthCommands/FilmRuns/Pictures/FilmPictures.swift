import ArgumentParser
import DepthImages
import DepthVideo
import FrameStreams
import MonocularDepth
import PictureFiles
import ViewSynthesis

/// What the pictures of a film show.
struct FilmPictureOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Make a stereo film: \(FilmFormatWord.expected).",
      discussion: "tab, tab-half and anaglyph are aliases of tb, tb-half and anaglyph-red-cyan.",
      valueName: "format"))
  var stereo: FilmFormatWord?

  @Option(
    help: ArgumentHelp(
      "Apply an effect: \(EffectName.namesForFrames.joined(separator: ", ")).",
      valueName: "name"))
  var effect: EffectName?

  @Flag(help: "Make a film of depth, near = white.") var depth = false

  @Option(
    help: ArgumentHelp(
      """
      Depth in focus for --effect: nearest (the smallest distance in each frame, the default), subject (the nearest \
      large thing that stands upright), a share of the disparity range from 0 (farthest) to 1 (nearest), or a distance \
      such as 1.8m. Not for haze.
      """,
      valueName: "depth"), transform: FocusWord.argument)
  var focus: FocusWord?

  @Option(
    help: ArgumentHelp(
      """
      Focus on the depth at this pixel of each frame: column and row, counted from 0 at the top left. Not with \
      --focus.
      """,
      valueName: "x,y"), transform: PixelWord.argument)
  var focusAt: PixelWord?

  @OptionGroup var lens: LensOptions
  @OptionGroup var shape: MaskOptions
  @OptionGroup var haze: HazeOptions

  @Option(
    help: ArgumentHelp(
      "Color map of --depth: \(ColorMap.allCases.map(\.rawValue).joined(separator: ", ")).",
      valueName: "name"))
  var colorMap: ColorMap = .gray

  @Option(
    help: ArgumentHelp(
      """
      Distances that become white (near) and black (far) in --depth, in metres, such as 0.5:6. By default the range \
      adapts to the film.
      """,
      valueName: "near:far"))
  var pictureRange: PictureSpan?

  /// What a film's pictures show.
  ///
  /// - Parameter camera: The film's.
  func request(_ camera: CameraOptions) -> FilmRequest {
    var request = FilmRequest()
    (request.stereo, request.depth) = (stereo, depth)
    (request.colorMap, request.pictureRange) = (colorMap, pictureRange)
    request.effect.effect = effect
    (request.effect.focus, request.effect.focusAt) = (focus, focusAt)
    (request.effect.lens, request.effect.shape) = (lens.request, shape.request)
    (request.effect.haze, request.effect.camera) = (haze.request, camera.request)
    return request
  }
}

extension FilmRequest {
  /// The pictures of one film, with one thread per frame.
  func pictures(pipeline: MapEstimation, framesPerSecond: Double) -> FilmPictures {
    FilmPictures(
      frames: FramePipeline(
        pipeline, steadiness: steady, threads: 1, findsMotion: true, depthEvery: depthEvery),
      pictures: maker(pipeline: pipeline, framesPerSecond: framesPerSecond))
  }

  private func maker(pipeline: MapEstimation, framesPerSecond: Double) -> any FramePictures {
    let isSteady = steady != .none
    if let format = stereo?.format {
      return StereoPictures(
        pipeline: pipeline,
        options: parallax.options(focalLength: effect.camera.setting.givenFocalLength, threads: 1),
        format: format, isSteady: isSteady, framesPerSecond: framesPerSecond, threads: 1)
    }
    guard let effect = effect.photoEffect else {
      return DepthPictures(
        pipeline: pipeline, colorMap: colorMap, fixedRange: pictureRange?.disparities, threads: 1)
    }
    return EffectPictures(
      pipeline: pipeline, effect: effect, isSteady: isSteady, framesPerSecond: framesPerSecond,
      threads: 1)
  }
}

/// Makes a picture of each frame of a film.
protocol FramePictures: FrameMaker where Output == Image {
  /// Saves the state from frame to frame.
  func save(into memory: inout FilmMemory)
  func restore(from memory: FilmMemory)
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
  var motion: FilmMotion?
  var propagation: DepthPropagation.Saved?
  /// What parallax or focus follow.
  var span: SpanFollower?
  var holes: HoleHistory.Saved?
  var range: PictureRange?

  /// Whether all counts match; a damaged file may have counts that do not.
  var isConsistent: Bool {
    (temporalFilter?.isConsistent ?? true) && (motion?.isConsistent ?? true)
      && (propagation?.isConsistent ?? true) && (holes?.isConsistent ?? true)
  }
}
