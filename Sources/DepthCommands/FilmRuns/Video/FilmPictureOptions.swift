import ArgumentParser
import DepthEffects
import DepthImages
import DepthPipeline
import PictureFiles
import StereoPhotos
import ViewSynthesis

/// What the pictures of a film show.
struct FilmPictureOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Make a stereo film: \(FilmStereoFormat.names).",
      discussion: "tab, tab-half and anaglyph are aliases of tb, tb-half and anaglyph-red-cyan.",
      valueName: "format"))
  var stereo: FilmStereoFormat?

  @Option(
    help: ArgumentHelp(
      "Apply an effect: \(FilmEffect.allCases.map(\.rawValue).joined(separator: ", ")).",
      valueName: "name"))
  var effect: FilmEffect?

  @Flag(help: "Make a film of depth, near = white.") var depth = false

  @Option(
    help: ArgumentHelp(
      """
      Depth in focus for --effect: nearest (the nearest object, the default), a share of the disparity range from 0 \
      (farthest) to 1 (nearest), or a distance such as 1.8m. Not for haze.
      """,
      valueName: "depth"))
  var focus: FocusOption?

  @Option(
    help: ArgumentHelp(
      """
      Focus on the depth at this pixel of each frame: column and row, counted from 0 at the top left. Not with \
      --focus.
      """,
      valueName: "x,y"))
  var focusAt: PixelOption?

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

  func validate() throws {
    let wanted = [stereo != nil, effect != nil, depth].count { $0 }
    guard wanted == 1 else {
      throw ValidationError(
        (wanted == 0 ? "nothing to make" : "more than one thing to make")
          + ", expected one of --stereo FORMAT, --effect NAME and --depth")
    }
    if effect == nil || effect == .haze, focus != nil || focusAt != nil {
      throw ValidationError("--focus is for --effect mask, spotlight, highlight and blur")
    }
    if focus != nil, focusAt != nil {
      throw ValidationError("--focus and --focus-at exclude each other, expected one")
    }
    if !depth, pictureRange != nil || colorMap != .gray {
      throw ValidationError(
        "\(pictureRange != nil ? "--picture-range" : "--color-map") is for --depth")
    }
    try checkEffectOptions()
  }

  /// `nil` where something else is made.
  var stereoFormat: StereoFormat? { stereo?.format }

  /// Whether pictures have no colors.
  var isGray: Bool { depth && colorMap == .gray || effect == .mask }

  private var wantedFocus: DepthFocus { focusAt?.value ?? focus?.value ?? .nearest }

  private func photoEffect(camera: Camera.FocalLength?) -> PhotoEffect? {
    switch effect {
    case .mask: .mask(wantedFocus, shape.mask)
    case .spotlight: .spotlight(wantedFocus, shape.mask)
    case .highlight: .highlight(wantedFocus, shape.mask)
    case .haze: haze.effect
    case .blur: lens.effect(focus: wantedFocus, shape: shape.mask, camera: camera)
    case nil: nil
    }
  }

  /// The suffix of names in folders.
  var suffix: String {
    if let format = stereoFormat { return format.suffixes(aspect: 1)[0] }
    return effect.map { "_\($0.rawValue)" } ?? "_depth"
  }

  /// The maker of pictures for one film.
  func pictures(
    pipeline: DepthPipeline, parallax: ParallaxOptions, focalLength: Camera.FocalLength?,
    isSteady: Bool, framesPerSecond: Double
  ) -> any FramePictures {
    if let format = stereoFormat {
      return StereoPictures(
        pipeline: pipeline, options: parallax.options(focalLength: focalLength, threads: 1),
        format: format, isSteady: isSteady, framesPerSecond: framesPerSecond, threads: 1)
    }
    guard let effect = photoEffect(camera: focalLength) else {
      return DepthPictures(
        pipeline: pipeline, colorMap: colorMap, fixedRange: pictureRange?.disparities, threads: 1)
    }
    return EffectPictures(
      pipeline: pipeline, effect: effect, isSteady: isSteady, framesPerSecond: framesPerSecond,
      threads: 1)
  }
}

/// An effect by its name.
enum FilmEffect: String, CaseIterable, ExpressibleByArgument {
  case mask, spotlight, highlight, haze, blur
}

/// A layout of both eyes by its name.
struct FilmStereoFormat: ExpressibleByArgument {
  let format: StereoFormat

  init?(argument: String) {
    guard let format = StereoFormat(name: argument), format.isOnePicture else { return nil }
    self.format = format
  }

  static var names: String {
    StereoFormat.all.filter(\.isOnePicture).map(\.name).joined(separator: ", ")
  }
}

extension ParallaxOptions {
  /// Refuses what a film cannot have.
  ///
  /// - Throws: A validation error.
  func checkFilm(_ format: StereoFormat) throws {
    guard format.isOnePicture else {
      throw ValidationError(
        "--format \(format.name) is not for films, expected \(FilmStereoFormat.names)")
    }
    guard renderer == .orderedWarp else {
      throw ValidationError("--renderer \(renderer.word) is for photos, expected warp")
    }
    guard frameEdges != .crop else {
      throw ValidationError(
        "--frame-edges crop cuts each frame to a size of its own, expected fill or flat")
    }
  }
}
