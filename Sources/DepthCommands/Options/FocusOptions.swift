public import ArgumentParser
public import DepthEffects
import DepthRequests

/// The depth that an effect picks out.
struct FocusOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Depth in focus: a share of the disparity range from 0 (farthest) to 1 (nearest), a distance such as 1.8m or \
      180cm, or nearest (the nearest object). This option or --focus-at is required.
      """,
      valueName: "depth"))
  var focus: FocusWord?

  @Option(
    help: ArgumentHelp(
      """
      Focus on the depth at this pixel: column and row, counted from 0 at the top left. For one photo; not with \
      --focus.
      """,
      valueName: "x,y"))
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

  func validate() throws { try namingOptions(request.check) }

  var request: MaskRequest {
    var request = MaskRequest()
    (request.slope, request.width, request.scaling) = (slope, width, scaling)
    return request
  }
}

extension FocusMask.Scaling: ExpressibleByArgument {}

/// How thick the air is.
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

  func validate() throws { try namingOptions(request.check) }

  var request: HazeRequest {
    var request = HazeRequest()
    (request.density, request.strength) = (density, strength)
    return request
  }
}
