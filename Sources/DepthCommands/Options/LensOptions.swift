public import ArgumentParser
public import DepthEffects

/// The simulated lens of a photo.
struct LensOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Aperture of a real lens to simulate, such as f/1.8. Needs depth in metres and the photo's focal length, from \
      Exif, --focal-length or --fov; not with --radius or --style mask.
      """,
      valueName: "f/number"), transform: FNumber.argument)
  var aperture: FNumber?

  @Option(
    help: ArgumentHelp(
      """
      Focal length of the simulated lens, such as 85mm on a 36 × 24 mm sensor; by default the photo's. It changes \
      only the blur, and the photo's focal length is needed too. Needs --aperture.
      """,
      valueName: "length"), transform: Length.argument)
  var lens: Length?

  @Option(
    help: ArgumentHelp(
      """
      Without --aperture: radius of the largest blur disc, 0 to 10% of the photo's width, written as 1% or 0.01. 1% \
      by default.
      """,
      valueName: "share"), transform: Share.argument)
  var radius: Share?

  @Option(
    help: ArgumentHelp(
      "Number of aperture blades, 3 to 16, which make blur discs polygons; 0 keeps them round.",
      valueName: "n"))
  var blades = LensRequest().blades

  @Option(
    help: ArgumentHelp(
      "Counterclockwise rotation of the polygon that --blades makes, -360 to 360 degrees.",
      valueName: "degrees"))
  var rotation = LensRequest().rotation

  @Option(
    help: ArgumentHelp(
      """
      Method of the blur. lens blurs each pixel by a disc whose size depends on the pixel's depth. mask is O. L. \
      Brown's method: it mixes the photo and one blurred copy of it by the mask that --slope, --width and --scaling \
      describe. --aperture and --blades are only for lens.
      """,
      valueName: "name"))
  var style = LensRequest().style

  var request: LensRequest {
    LensRequest(
      aperture: aperture, lens: lens, radius: radius, blades: blades, rotation: rotation,
      style: style)
  }
}

/// The depth that an effect selects.
struct FocusOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Depth in focus: a share of the disparity range from 0 (farthest) to 1 (nearest), a distance such as 1.8m or \
      180cm, nearest (the smallest distance in the map), or subject (the nearest large thing that stands upright). \
      This option, --focus-at or a range (--from, --to) is required.
      """,
      valueName: "depth"), transform: FocusWord.argument)
  var focus: FocusWord?

  @Option(
    help: ArgumentHelp(
      """
      Focus on the depth at this pixel: column and row, counted from 0 at the top left. For one photo; not with \
      --focus.
      """,
      valueName: "x,y"), transform: PixelWord.argument)
  var focusAt: PixelWord?
}

/// The shape of the mask.
struct MaskOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Steepness of the mask's edges: on both sides of --width, the mask falls from 1 to 0 over 1/slope of the \
      disparity range. 0.01 to 10000; 4 by default.
      """,
      valueName: "number"))
  var slope: Double?
  @Option(
    help: ArgumentHelp(
      """
      Width of the range around the focus in which the mask is 1, as a share of the disparity range; 0.1 \
      by default.
      """,
      valueName: "share"))
  var width: Double?
  @Option(
    help: ArgumentHelp(
      """
      For a depth map smaller than the photo: joint (the default) enlarges the map along the photo's edges, then \
      computes the mask; bicubic computes the mask, then enlarges it.
      """,
      valueName: "name"))
  var scaling: FocusMask.Scaling?
  @Option(
    help: ArgumentHelp(
      "Distance over which the mask falls to 0 outside the range, such as 20cm; 0 by default. Not with --slope.",
      valueName: "distance"), transform: BoundWord.argument)
  var soft: BoundWord?

  var request: MaskRequest {
    MaskRequest(slope: slope, width: width, scaling: scaling, soft: soft)
  }
}

extension FocusMask.Scaling: ExpressibleByArgument {}

/// The density of haze.
struct HazeOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Density β of the haze per metre, 0 to 100; 0.3 by default. A point keeps the share e^(−β·distance) of its \
      light. Needs depth in metres; not with --strength.
      """,
      valueName: "per-metre"))
  var density: Double?

  @Option(
    help: ArgumentHelp(
      """
      Share of light that the farthest point loses, 0 to 1. For depth in any unit; replaces --density.
      """,
      discussion: """
        A point keeps the share (1 − strength)^(1 − d) of its light, where d is its disparity from 0 (farthest) to 1 \
        (nearest).
        """,
      valueName: "share"))
  var strength: Double?

  var request: HazeRequest { HazeRequest(density: density, strength: strength) }
}
