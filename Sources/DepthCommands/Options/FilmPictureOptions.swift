import ArgumentParser
import PictureFiles

/// The pictures of a film.
struct FilmPictureOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Make a stereo film: \(FilmFormatWord.expected).",
      discussion: "tab, tab-half and anaglyph are aliases of tb, tb-half and anaglyph-red-cyan.",
      valueName: "format"), transform: FilmFormatWord.argument)
  var stereo: FilmFormatWord?

  @Option(help: ArgumentHelp("Apply an effect.", valueName: "name")) var effect: EffectName?

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
  @Option(
    help: ArgumentHelp(
      "Beginning of a mask's range, such as 2m; for depth without distances, a share of disparity.",
      valueName: "depth"), transform: BoundWord.argument)
  var from: BoundWord?
  @Option(
    help: ArgumentHelp("End of the range, such as 4m.", valueName: "depth"),
    transform: BoundWord.argument)
  var to: BoundWord?
  @OptionGroup var haze: HazeOptions

  @Option(
    help: ArgumentHelp(
      "Color map of --depth: \(ColorMap.allCases.map(\.rawValue).joined(separator: ", ")).",
      valueName: "name"))
  var colorMap = FilmRequest().colorMap

  @Option(
    help: ArgumentHelp(
      """
      Distances that become white (near) and black (far) in --depth, in metres, such as 0.5:6. By default the range \
      adapts to the film.
      """,
      valueName: "near:far"), transform: DisplayRange.argument)
  var pictureRange: DisplayRange?

  func request(_ camera: CameraOptions) -> FilmRequest {
    var mask = shape.request
    (mask.from, mask.to) = (from, to)
    return FilmRequest(
      stereo: stereo,
      effect: EffectRequest(
        effect: effect, focus: focus, focusAt: focusAt, lens: lens.request,
        shape: mask,
        haze: haze.request, camera: camera.request),
      depth: depth, colorMap: colorMap, pictureRange: pictureRange)
  }
}
